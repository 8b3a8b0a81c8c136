/** What a plan says of a site key: which one, and what becomes of it. Never its secret, and nothing of the hour at which it is asked. */
import type { Change } from '../../../core/commit/change.ts'
import type { DdnsToken } from '../records.ts'

type Key = Pick<DdnsToken, 'host' | 'label'>

const DDNS = 'ddns'

export const plannedIssue = ({ host, label }: Key): Change<unknown>['actions'] => [
  created(host, `issued${forWhat(label)}, shown once`),
]

/** @param old goes on for a while, so that the router can be changed in peace */
export const plannedSuccession = (old: DdnsToken): Change<unknown>['actions'] => [
  created(old.host, `issued${forWhat(old.label)} as a successor, shown once`),
  {
    component: DDNS,
    verb: 'update',
    item: itemOf(old),
    before: 'in force',
    after: 'ends 24 hours later',
    reason: 'release',
  },
]

export const plannedEnd = (key: DdnsToken): Change<unknown>['actions'] => [
  {
    component: DDNS,
    verb: 'delete',
    item: itemOf(key),
    before: `in force${forWhat(key.label)}; every report with it is refused from then on`,
    after: null,
    reason: 'release',
  },
]

const created = (host: string, after: string) => ({
  component: DDNS,
  verb: 'create' as const,
  item: `key for ${host}`,
  before: null,
  after,
  reason: 'release' as const,
})

/** A name may have several keys. */
const itemOf = ({ id, host }: DdnsToken): string => `key ${id.slice(0, 8)} for ${host}`

const forWhat = (label: string): string => (label === '' ? '' : ` for "${label}"`)
