/** What `plumbline doctor` makes of the health page: a finding for each part that is not as it should be, with what helps. */
import type { Finding } from '../cli/verb.ts'
import type { HealthAnswer, PresentedComponent } from '../features/health/read-health.ts'
import { bad, good, warning } from './finding.ts'
import type { Ask, World } from './world.ts'

/** What doctor asks in more detail itself, with findings of their own. */
const ASKED_APART: ReadonlySet<string> = new Set([
  'database',
  'dns_account',
  'mail',
  'sso_provider',
  'sso_attachments',
  'sso_routes',
])

export const health: World = {
  asked: async (ask) => healthFindings(await lookedAt(ask)),
}

/**
 * A probe ends in time for whoever monitors. On a small machine, above all right after a start, one may not have come
 * through by then, which says nothing of what it looked at: it is taken again, at most twice.
 */
async function lookedAt(ask: Ask): Promise<readonly PresentedComponent[]> {
  let components: readonly PresentedComponent[] = []
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    components = (await ask<HealthAnswer>('/api/control-plane/health?probe=true')).components
    if (!components.some(({ kind, reason }) => kind === 'kept' && reason === 'timed_out')) break
  }
  return components
}

const MAX_LOOKS = 3

/** Pure. In the order of the page, and one more where nothing differs and all that is kept true could be read. */
export function healthFindings(components: readonly PresentedComponent[]): readonly Finding[] {
  const parts = components.filter(({ configured, component }) => configured && !ASKED_APART.has(component))
  const wrong = parts.filter(({ ok }) => !ok)
  const well = parts.length - wrong.length
  return [
    ...(wrong.some(({ kind, drift }) => kind === 'kept' || drift === true) ? [] : [good('drift', 'none')]),
    ...wrong.map(findingOf),
    good('health', `${well} of ${parts.length} parts are as they should be`),
  ]
}

function findingOf(part: PresentedComponent): Finding {
  const { name, message, differences, details } = part
  const { remedy } = details
  const reported = differences.slice(0, MAX_NAMED).map(({ item, cause }) => `${item} (${cause})`)
  const more = differences.length > MAX_NAMED ? ' …' : ''
  const detail = reported.length === 0 ? message : `${message} ${reported.join(', ')}${more}`
  return (isGrave(part) ? bad : warning)(name, detail, typeof remedy === 'string' ? remedy : ELSEWHERE)
}

/** Of a daemon that is older than this program. */
const ELSEWHERE = 'plumbline status shows what is known of it.'

const MAX_NAMED = 3

/** What differs and is kept mends itself; what is kept and cannot be read does not. Of others only what is known is grave. */
const isGrave = ({ kind, drift }: PresentedComponent): boolean =>
  kind === 'kept' ? drift !== true : drift !== null
