/** What `plumbline doctor` makes of the health page: a finding for each part that is not as it should be, with what helps. */
import type { Finding } from '../cli/verb.ts'
import type { HealthAnswer, PresentedComponent } from '../features/health/read-health.ts'
import { bad, good, warning } from './finding.ts'
import type { Ask, World } from './world.ts'

type Looked = Pick<HealthAnswer, 'components' | 'things'>

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
async function lookedAt(ask: Ask): Promise<Looked> {
  let page: Looked = { components: [], things: { right: 0, all: 0 } }
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    page = await ask<HealthAnswer>('/api/control-plane/health?probe=true')
    if (!page.components.some(({ kind, reason }) => kind === 'kept' && reason === 'timed_out')) break
  }
  return page
}

const MAX_LOOKS = 3

/** Pure. In the order of the page, and one more where nothing differs and all that is kept true could be read. */
export function healthFindings({ components, things: { right, all } }: Looked): readonly Finding[] {
  const parts = components.filter(({ configured, component }) => configured && !ASKED_APART.has(component))
  // What a person has said may differ is ok, and differs all the same.
  const wrong = parts.filter(({ ok, drift }) => !ok || drift === true)
  return [
    ...(wrong.some(({ kind, drift }) => kind === 'kept' || drift === true) ? [] : [good('drift', 'none')]),
    ...wrong.map(findingOf),
    right === all
      ? good('health', `all ${all} things are as they should be`)
      : warning('health', `${right} of ${all} things are as they should be`, ALL_OF_THEM),
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

const ALL_OF_THEM = 'plumbline status shows all of them.'

/** Where nothing better is said of it. */
const ELSEWHERE = 'plumbline status shows what is known of it.'

const MAX_NAMED = 3

/** What differs and is kept mends itself; what is kept and cannot be read does not. Of others only what is known is grave. */
const isGrave = ({ kind, drift }: PresentedComponent): boolean =>
  kind === 'kept' ? drift !== true : drift !== null
