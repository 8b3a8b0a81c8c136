/** How a set of ours is taken away, given up, or only forgotten. Pure. */
import type { ListedRrset, OwnedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../../providers/port.ts'
import type { Deed, Rank } from '../writing/deed.ts'
import type { Holding } from '../deciding/matrix.ts'
import { sameValues } from '../writing/fit.ts'
import type { Judged } from '../deciding/judge.ts'
import { marksBy, textBehind } from '../marks/marker.ts'
import { textMarkRemoval } from '../marks/marks.ts'
import { setText } from '../marks/set-text.ts'
import type { ZoneState } from '../zones/zone-state.ts'

type OwnJudged = Judged & { readonly row: OwnedRrset }

/**
 * A set that may go. It is taken away where it is ours by mark or by value; where it is not there any more, or is
 * somebody else's by now, only our own notes of it go.
 */
export function goneDeed(state: ZoneState, judged: OwnJudged, takes_mark: boolean): Deed {
  const { listed } = judged
  const removal = takes_mark ? textMarkRemoval(state, judged.name) : null
  if (listed === null || !isOurs(judged)) return forgetDeed(state, judged, takes_mark)
  // The record goes before its mark: what is left over after a crash is then still known to be ours.
  const changes = [{ name: judged.name, type: judged.type, wanted: null, seen: listed }, removal]
  return deed(state, judged, {
    rank: 'delete',
    before: setText(listed),
    after: null,
    changes,
    is_removal: true,
    successor: judged.successor,
  })
}

/** Only our own note of the set goes, and a mark that nothing bears any more. */
export function forgetDeed(state: ZoneState, judged: OwnJudged, takes_mark: boolean): Deed {
  const removal = takes_mark ? textMarkRemoval(state, judged.name) : null
  return deed(state, judged, { rank: 'forget', before: null, after: null, changes: [removal] })
}

/** The set stays as it is, and only our own note of what was asked for goes. */
export function noteDeed(state: ZoneState, judged: OwnJudged): Deed {
  const { row, listed } = judged
  const noted = listed === null ? row : { ...row, values: listed.values, ttl: listed.ttl, ids: listed.ids }
  const text = setText(noted)
  const draft = { rank: 'mark', before: text, after: `${text} (noted as ours)`, changes: [] } as const
  const made = deed(state, judged, draft)
  const ledger = { ...made.payload.ledger, after: { ...noted, state: 'owned' as const } }
  return { ...made, payload: { ...made.payload, ledger } }
}

const OURS: ReadonlySet<Holding> = new Set(['owned', 'sending', 'applying', 'removing', 'unmarked'])

function isOurs({ holding, row, listed }: OwnJudged): boolean {
  const is_as_sent = listed !== null && sameValues(listed.values, row.values)
  // It was given into our care, and nothing of ours has ever been put there: it is given back as it is.
  if (holding === 'adopted') return false
  if (holding === 'blocked') return is_as_sent
  return OURS.has(holding)
}

/**
 * It may go as far as we are concerned, and somebody else's mark or text stands beside ours: whose it is nobody can tell.
 * Were our note of it dropped, what still stands would be called gone.
 */
export const isDisputed = (judged: OwnJudged): boolean =>
  judged.gone !== null && judged.listed !== null && judged.mark.shared && !isOurs(judged)

/** The record stays as it is, and is nobody's of ours from then on. */
export function releaseDeed(state: ZoneState, judged: OwnJudged, takes_mark: boolean): Deed {
  const { listed, mark } = judged
  const unmark =
    listed !== null && marksBy(state.traits) === 'comment' && mark.state === 'ours'
      ? commentWithoutMark(judged, listed, state.installation_id)
      : null
  const removal = takes_mark ? textMarkRemoval(state, judged.name) : null
  const text = listed === null ? null : setText(listed)
  return deed(state, judged, {
    rank: 'release',
    before: text,
    after: text === null ? null : `${text} (not ours any more)`,
    changes: [unmark, removal],
  })
}

/** What people wrote behind the mark is theirs. */
function commentWithoutMark(
  { name, type }: Judged,
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
}

const deed = (state: ZoneState, { name, type, row }: OwnJudged, draft: Draft): Deed => ({
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
  },
})
