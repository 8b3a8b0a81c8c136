/** How a wanted set is made, put right, or taken over. Pure. */
import type { ListedRrset, OwnedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../../providers/port.ts'
import type { Deed, LedgerRow, Rank } from './deed.ts'
import { type Content, fit, isFitted, keepProxied, sameValues } from './fit.ts'
import type { Judged } from '../deciding/judge.ts'
import { marksBy, markText } from '../marks/marker.ts'
import { isMarked, textMarkChange } from '../marks/marks.ts'
import { setText } from '../marks/set-text.ts'
import type { WantedSet } from '../deciding/wanted.ts'
import type { ZoneState } from '../zones/zone-state.ts'

type WantedJudged = Judged & { readonly wanted: WantedSet }

/** What is to stand there, in the provider's own form. */
export function contentOf(state: ZoneState, { wanted, listed, mark, name }: WantedJudged): Content {
  const { row, values } = wanted
  return fit(state.traits, {
    ttl: row.ttl,
    values,
    comment: commentOf(state, { listed, is_marked: isMarked(state, name, mark, row.domain_id), row }),
    proxied: keepProxied(state.traits, row.proxied, listed),
  })
}

interface CommentFacts {
  readonly listed: ListedRrset | null
  readonly is_marked: boolean
  readonly row: { readonly domain_id: number }
}

/** A comment that begins with the mark stays, and so does one at a provider where comments are no place for marks. */
function commentOf(state: ZoneState, { listed, is_marked, row }: CommentFacts): string | null {
  if (marksBy(state.traits) === 'text') return listed?.comment ?? null
  return is_marked ? listed!.comment : markText(state.installation_id, row.domain_id)
}

export function createDeed(state: ZoneState, judged: WantedJudged): Deed {
  const content = contentOf(state, judged)
  const after = rowOf(state, judged, content)
  return deed(state, judged, {
    rank: 'create',
    after: setText(content),
    changes: [markChange(state, judged), { ...namedSet(judged), wanted: content, seen: null }],
    during: { ...after, state: 'sending' },
    row_after: after,
  })
}

/** Null where all is right, outside and in the ledger. */
export function updateDeed(state: ZoneState, judged: WantedJudged & { listed: ListedRrset }): Deed | null {
  const { listed, row, holding } = judged
  const content = contentOf(state, judged)
  const after = rowOf(state, judged, content)
  const mark = markChange(state, judged)
  const change = setChange(judged, content)
  if (mark === null && change === null && isRecorded(row, after)) return null
  // Without its mark and with another value a set would look like a stranger's, should one of the two get lost.
  const is_two_steps = holding === 'unmarked' && !sameValues(listed.values, content.values)
  const warning = is_two_steps && mark === null ? commentAlone(judged, content) : null
  const marked = warning === null ? listed : { ...listed, comment: content.comment }
  return deed(state, judged, {
    rank: change === null || sameSet(listed, content) ? 'mark' : 'update',
    after: afterText(listed, content, { mark: mark !== null || change !== null, row, after }),
    prepare: is_two_steps ? [mark, warning] : [],
    changes: [is_two_steps ? null : mark, change === null ? null : { ...change, seen: marked }],
    during: row === null || (change === null && mark === null) ? null : applying(row, listed),
    row_after: after,
  })
}

/** Somebody gave the set into our care. The row stays `adopted` until that is done. */
export function takeOverDeed(state: ZoneState, judged: WantedJudged): Deed {
  const { listed, conflict } = judged
  const content = contentOf(state, judged)
  const alias = conflict?.alias ?? null
  const removal = alias === null ? null : { name: alias.name, type: alias.type, wanted: null, seen: alias }
  return deed(state, judged, {
    rank: alias !== null ? 'pair' : listed === null ? 'create' : 'update',
    before: alias === null ? undefined : `${alias.type} ${setText(alias)}`,
    after: `${setText(content)} (taken over)`,
    changes: [removal, markChange(state, judged), setChange(judged, content)],
    during: null,
    row_after: rowOf(state, judged, content),
  })
}

const markChange = (state: ZoneState, { name, wanted }: WantedJudged): RrsetChange | null =>
  textMarkChange(state, name, wanted.row.domain_id)

/** Null where the set is right as it stands, its comment included. */
function setChange(judged: WantedJudged, content: Content): RrsetChange | null {
  const { listed } = judged
  const is_right = listed !== null && isFitted(listed, content) && listed.comment === content.comment
  return is_right ? null : { ...namedSet(judged), wanted: content, seen: listed }
}

const commentAlone = (judged: WantedJudged & { listed: ListedRrset }, { comment }: Content): RrsetChange => ({
  ...namedSet(judged),
  wanted: { ttl: judged.listed.ttl, values: judged.listed.values, proxied: judged.listed.proxied, comment },
  seen: judged.listed,
})

const namedSet = ({ name, type }: Judged) => ({ name, type })

const sameSet = (listed: ListedRrset, content: Content): boolean => isFitted(listed, content)

/** It is ours, and a change of it is asked for. This look confirms what was only sent: the set is there as it is. */
function applying(row: OwnedRrset, { values, ttl, proxied, ids }: ListedRrset): LedgerRow {
  const seen = row.state === 'sending' ? { values, ttl, proxied, ids } : {}
  return { ...row, ...seen, state: 'applying' }
}

const isRecorded = (row: OwnedRrset | null, after: LedgerRow): boolean =>
  row !== null &&
  row.state === after.state &&
  row.domain_id === after.domain_id &&
  sameValues(row.values, after.values)

const rowOf = (
  state: ZoneState,
  { name, type, wanted, listed }: WantedJudged,
  content: Content,
): LedgerRow => ({
  account: state.account,
  zone: state.zone,
  name,
  type,
  domain_id: wanted.row.domain_id,
  state: 'owned',
  ttl: content.ttl,
  values: content.values,
  proxied: content.proxied,
  ids: listed?.ids ?? [],
})

interface AfterFacts {
  /** Something is written at the provider. */
  readonly mark: boolean
  readonly row: OwnedRrset | null
  readonly after: LedgerRow
}

function afterText(listed: ListedRrset, content: Content, { mark, row, after }: AfterFacts): string {
  if (!sameSet(listed, content)) return setText(content)
  if (row?.domain_id !== after.domain_id) return `${setText(content)} (now for domain ${after.domain_id})`
  return `${setText(content)} ${mark ? '(marked as ours)' : '(noted as ours)'}`
}

interface Draft {
  readonly rank: Rank
  /** Left out: what is listed. */
  readonly before?: string | undefined
  readonly after: string
  readonly prepare?: readonly (RrsetChange | null)[]
  readonly changes: readonly (RrsetChange | null)[]
  readonly during: LedgerRow | null
  readonly row_after: LedgerRow
}

function deed(state: ZoneState, judged: WantedJudged, draft: Draft): Deed {
  const { name, type, row, wanted, listed } = judged
  const ids = [wanted.row.domain_id, row?.domain_id].filter((id) => id !== undefined)
  return {
    rank: draft.rank,
    verb: draft.rank === 'create' ? 'create' : 'update',
    before: draft.before ?? (listed === null ? null : setText(listed)),
    after: draft.after,
    domain_ids: [...new Set(ids)],
    payload: {
      rank: draft.rank,
      row: { account: state.account, zone: state.zone, name, type },
      prepare: (draft.prepare ?? []).filter((change) => change !== null),
      changes: draft.changes.filter((change) => change !== null),
      ledger: { before: row, during: draft.during, after: draft.row_after },
      successor: null,
      makes_zone: state.missing,
    },
  }
}
