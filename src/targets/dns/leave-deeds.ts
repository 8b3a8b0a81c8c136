/** How a set of ours is taken away, given up, or only forgotten. Pure. */
import type { ListedRrset, OwnedRrset } from '../../model/dns.ts'
import type { RrsetChange } from '../../ports/dns-provider.ts'
import type { Deed, Rank } from './deed.ts'
import { sameValues } from './fit.ts'
import type { Judged } from './judge.ts'
import { marksBy } from './marker.ts'
import { textMarkRemoval } from './marks.ts'
import { setText } from './set-text.ts'
import type { ZoneState } from './zone-state.ts'

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
  return deed(state, judged, { rank: 'delete', before: setText(listed), after: null, changes })
}

/** Only our own note of the set goes, and a mark that nothing bears any more. */
export function forgetDeed(state: ZoneState, judged: OwnJudged, takes_mark: boolean): Deed {
  const removal = takes_mark ? textMarkRemoval(state, judged.name) : null
  return deed(state, judged, { rank: 'forget', before: null, after: null, changes: [removal] })
}

function isOurs({ holding, mark, row, listed }: OwnJudged): boolean {
  const is_as_sent = listed !== null && sameValues(listed.values, row.values)
  if (holding === 'adopted') return mark.state !== 'other' && (is_as_sent || mark.state === 'ours')
  if (holding === 'blocked') return is_as_sent
  return holding === 'owned' || holding === 'sending' || holding === 'unmarked'
}

/** The record stays as it is, and is nobody's of ours from then on. */
export function releaseDeed(state: ZoneState, judged: OwnJudged, takes_mark: boolean): Deed {
  const { listed, mark } = judged
  const unmark =
    listed !== null && marksBy(state.traits) === 'comment' && mark.state === 'ours'
      ? commentWithoutMark(judged, listed)
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
function commentWithoutMark({ name, type }: Judged, listed: ListedRrset): RrsetChange {
  const { ttl, values, proxied, comment } = listed
  const rest = comment!.replace(/^\S+\s*/, '')
  return { name, type, wanted: { ttl, values, proxied, comment: rest === '' ? null : rest }, seen: listed }
}

interface Draft {
  readonly rank: Rank
  readonly before: string | null
  readonly after: string | null
  readonly changes: readonly (RrsetChange | null)[]
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
    ledger: { before: row, during: null, after: null },
    makes_zone: false,
  },
})
