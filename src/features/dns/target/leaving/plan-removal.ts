/** How a set of ours is taken away, given up, or only forgotten. Pure. */
import type { ListedRrset, OwnedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../../providers/port.ts'
import type { PlannedChange, Rank } from '../writing/planned-change.ts'
import type { Ownership } from '../deciding/ownership.ts'
import { sameValues } from '../writing/fit.ts'
import type { EvaluatedSet } from '../deciding/evaluate.ts'
import { marksBy, textBehind } from '../marks/marker.ts'
import { textMarkRemoval } from '../marks/marks.ts'
import { setText } from '../marks/set-text.ts'
import type { ZoneState } from '../zones/zone-state.ts'

type EvaluatedOwn = EvaluatedSet & { readonly row: OwnedRrset }

/**
 * A set that may go. It is taken away where it is ours by mark or by value; where it is not there any more, or is
 * somebody else's by now, only our own notes of it go.
 */
export function planRemoval(state: ZoneState, evaluated: EvaluatedOwn, takes_mark: boolean): PlannedChange {
  const { listed } = evaluated
  const removal = takes_mark ? textMarkRemoval(state, evaluated.name) : null
  if (listed === null || !isOurs(evaluated)) return planForget(state, evaluated, takes_mark)
  // The record goes before its mark: what is left over after a crash is then still known to be ours.
  const changes = [{ name: evaluated.name, type: evaluated.type, wanted: null, seen: listed }, removal]
  return planned(state, evaluated, {
    rank: 'delete',
    before: setText(listed),
    after: null,
    changes,
    is_removal: true,
    successor: evaluated.successor,
    ...(evaluated.removable_because === 'other_family' && { keeps_name: true }),
  })
}

/** Only our own note of the set goes, and a mark that nothing bears any more. */
export function planForget(state: ZoneState, evaluated: EvaluatedOwn, takes_mark: boolean): PlannedChange {
  const removal = takes_mark ? textMarkRemoval(state, evaluated.name) : null
  return planned(state, evaluated, { rank: 'forget', before: null, after: null, changes: [removal] })
}

/** The set stays as it is, and only our own note of what was asked for goes. */
export function planNote(state: ZoneState, evaluated: EvaluatedOwn): PlannedChange {
  const { row, listed } = evaluated
  const noted = listed === null ? row : { ...row, values: listed.values, ttl: listed.ttl, ids: listed.ids }
  const text = setText(noted)
  const draft = { rank: 'mark', before: text, after: `${text} (noted as ours)`, changes: [] } as const
  const made = planned(state, evaluated, draft)
  const ledger = { ...made.payload.ledger, after: { ...noted, state: 'owned' as const } }
  return { ...made, payload: { ...made.payload, ledger } }
}

const OURS: ReadonlySet<Ownership> = new Set(['owned', 'sending', 'applying', 'removing', 'unmarked'])

function isOurs({ ownership, row, listed }: EvaluatedOwn): boolean {
  const is_as_sent = listed !== null && sameValues(listed.values, row.values)
  // It was given into our care, and nothing of ours has ever been put there: it is given back as it is.
  if (ownership === 'adopted') return false
  if (ownership === 'blocked') return is_as_sent
  return OURS.has(ownership)
}

/**
 * It may go as far as we are concerned, and somebody else's mark or text stands beside ours: whose it is nobody can tell.
 * Were our note of it dropped, what still stands would be called gone.
 */
export const isDisputed = (evaluated: EvaluatedOwn): boolean =>
  evaluated.removable_because !== null &&
  evaluated.listed !== null &&
  evaluated.mark.shared &&
  !isOurs(evaluated)

/** The record stays as it is, and is nobody's of ours from then on. */
export function planRelease(state: ZoneState, evaluated: EvaluatedOwn, takes_mark: boolean): PlannedChange {
  const { listed, mark } = evaluated
  const unmark =
    listed !== null && marksBy(state.traits) === 'comment' && mark.state === 'ours'
      ? commentWithoutMark(evaluated, listed, state.installation_id)
      : null
  const removal = takes_mark ? textMarkRemoval(state, evaluated.name) : null
  const text = listed === null ? null : setText(listed)
  return planned(state, evaluated, {
    rank: 'release',
    before: text,
    after: text === null ? null : `${text} (not ours any more)`,
    changes: [unmark, removal],
  })
}

/** What people wrote behind the mark is theirs. */
function commentWithoutMark(
  { name, type }: EvaluatedSet,
  listed: ListedRrset,
  installation_id: string,
): RrsetChange {
  const { ttl, values, proxied, comment } = listed
  const rest = textBehind(comment!, installation_id)
  return { name, type, wanted: { ttl, values, proxied, comment: rest === '' ? null : rest }, seen: listed }
}

interface Draft {
  readonly rank: Rank
  readonly before: string | null
  readonly after: string | null
  readonly changes: readonly (RrsetChange | null)[]
  readonly is_removal?: true
  readonly successor?: string | null
  readonly keeps_name?: true
}

const planned = (state: ZoneState, { name, type, row }: EvaluatedOwn, draft: Draft): PlannedChange => ({
  rank: draft.rank,
  verb: draft.after === null ? 'delete' : 'update',
  before: draft.before,
  after: draft.after,
  domain_ids: [row.domain_id],
  payload: {
    rank: draft.rank,
    row: { account: state.account, zone: state.zone, name, type },
    prepare: [],
    changes: draft.changes.filter((change) => change !== null),
    ledger: { before: row, during: draft.is_removal ? { ...row, state: 'removing' } : null, after: null },
    makes_zone: false,
    successor: draft.successor ?? null,
    ...(draft.keeps_name && { keeps_name: draft.keeps_name }),
  },
})
