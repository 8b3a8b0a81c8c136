/** What a plan says of an edge and its tokens: what moves, and what ends by it. Pure. */
import type { Change } from '../../core/commit/change.ts'
import type { Edge, EdgeFields } from '../../model/edge.ts'

type Actions = Change<unknown>['actions']
type Planned = NonNullable<Actions>[number]

const planned = (part: Pick<Planned, 'verb' | 'item' | 'before' | 'after'>): Actions => [
  { component: 'edges', reason: 'release', ...part },
]

export const plannedEdge = ({ name, hostname, address }: EdgeFields): Actions =>
  planned({
    verb: 'create',
    item: name,
    before: null,
    after: `${[hostname, address].filter((one) => one !== null).join(', ') || 'without an address'}; with a token, shown once`,
  })

/** Empty where nothing moves. */
export function plannedChange(before: Edge, after: Edge): Actions {
  const moved = FIELDS.filter((field) => before[field] !== after[field])
  if (moved.length === 0) return []
  const said = (edge: Edge) => moved.map((field) => `${WORDS[field]} ${edge[field] ?? 'none'}`).join(', ')
  return planned({ verb: 'update', item: before.name, before: said(before), after: said(after) })
}

const FIELDS = ['name', 'hostname', 'address', 'region', 'desired_state'] as const
const WORDS: Readonly<Record<(typeof FIELDS)[number], string>> = {
  name: 'name',
  hostname: 'host name',
  address: 'address',
  region: 'region',
  desired_state: 'wanted',
}

export const plannedRemoval = ({ name }: Edge): Actions =>
  planned({ verb: 'delete', item: name, before: 'with all of its tokens', after: null })

export const plannedToken = ({ name }: Edge): Actions =>
  planned({
    verb: 'create',
    item: `token of ${name}`,
    before: null,
    after: 'issued, shown once; the one before it ends 24 hours later',
  })

export const plannedTokenEnd = ({ name }: Edge): Actions =>
  planned({
    verb: 'delete',
    item: `tokens of ${name}`,
    before: 'all of them: it fetches nothing until it has a new one',
    after: null,
  })
