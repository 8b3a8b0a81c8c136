/** What `plumbline doctor` makes of the health page: a finding for each part that is not as it should be, with what helps. */
import type { Finding } from '../cli/verb.ts'
import type { HealthAnswer, PresentedComponent } from '../features/health/read-health.ts'
import { REMEDY } from '../model/undecided.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'

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
  asked: async (ask) =>
    healthFindings((await ask<HealthAnswer>('/api/control-plane/health?probe=true')).components),
}

/** Pure. In the order of the page, and one more where nothing differs and all that is kept true could be read. */
export function healthFindings(components: readonly PresentedComponent[]): readonly Finding[] {
  const parts = components.filter(({ configured, component }) => configured && !ASKED_APART.has(component))
  const wrong = parts.filter(({ ok }) => !ok)
  const well = parts.length - wrong.length
  const waits = components.some(({ cause }) => cause === 'restored_from_backup')
  return [
    ...(wrong.some(({ kind, drift }) => kind === 'kept' || drift === true) ? [] : [good('drift', 'none')]),
    ...wrong.map((part) => findingOf(part, waits)),
    good('health', `${well} of ${parts.length} parts are as they should be`),
  ]
}

/** @param waits nothing is repaired before a person has decided */
function findingOf(part: PresentedComponent, waits: boolean): Finding {
  const { name, message, differences } = part
  const told = differences.slice(0, MOST_NAMED).map(({ item, cause }) => `${item} (${cause})`)
  const more = differences.length > MOST_NAMED ? ' …' : ''
  const detail = told.length === 0 ? message : `${message} ${told.join(', ')}${more}`
  return (isGrave(part) ? bad : warning)(
    name,
    detail,
    waits && isHeldBack(part) ? `Decide first: ${REMEDY}.` : remedyFor(part),
  )
}

const isHeldBack = ({ kind, cause, reason }: PresentedComponent): boolean =>
  cause === 'restored_from_backup' || (kind === 'kept' && reason !== 'suspended')

const MOST_NAMED = 3

/** What differs and is kept mends itself; what is kept and cannot be read does not. Of others only what is known is grave. */
const isGrave = ({ kind, drift }: PresentedComponent): boolean =>
  kind === 'kept' ? drift !== true : drift !== null

function remedyFor({ kind, drift, cause, reason, mode }: PresentedComponent): string {
  if (reason === 'never_looked') return 'The daemon looks at it by itself: start it.'
  if (reason === 'suspended')
    return 'It is left alone until the suspension ends, or PUT /api/modes/{component} takes it back.'
  if (cause === 'not_loaded') return 'Look into the log of whoever reads it; deploy again after that.'
  if (cause === 'rejected')
    return 'Mend what the proxy names, in the record, its middleware or the proxy itself; deploy again after that.'
  if (cause === 'entrypoints_missing' || cause === 'entrypoint_role')
    return 'Name the entry points alike: in the static configuration of the proxy, and in PLUMBLINE_ENTRYPOINTS.'
  if (cause === 'not_served')
    return 'Look into the log of the proxy: whether it can read its certificate files, and has the resolver that routes name.'
  if (cause === 'neighbour') return 'Correct or remove the other file; plumbline drift names it.'
  if (cause === 'shadowed')
    return 'Remove the other router, definition or redirection, or give the router a lower priority; plumbline drift names it. No deploy does that.'
  if (cause === 'version_too_old') return 'Set PLUMBLINE_TRAEFIK_VERSION to the version that runs.'
  if (drift === null) return 'Make readable what could not be read; it is looked at again by itself.'
  if (cause === 'pending_deploy' || cause === 'renderer_changed')
    return 'Deploy it: plumbline plan shows what that does.'
  if (cause === 'foreign_owner') return 'Move away what is not ours, or adopt it.'
  if (kind === 'kept' && mode === 'observe') return 'The mode is observe: a deploy repairs it.'
  return kind === 'kept'
    ? 'It is repaired by itself; plumbline drift shows what and why.'
    : 'plumbline status shows what is known of it.'
}
