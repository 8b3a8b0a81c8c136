/** How a wanted set is made, put right, or taken over. Pure. */
import type { ListedRrset, OwnedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../../providers/port.ts'
import type { PlannedChange, LedgerRow, Rank } from './planned-change.ts'
import { type Content, fit, isFitted, keepProxied, sameValues } from './fit.ts'
import type { EvaluatedSet } from '../deciding/evaluate.ts'
import { marksBy, markText } from '../marks/marker.ts'
import { isMarked, textMarkChange } from '../marks/marks.ts'
import { setText } from '../marks/set-text.ts'
import type { WantedSet } from '../deciding/wanted.ts'
import type { ZoneState } from '../zones/zone-state.ts'

type EvaluatedWanted = EvaluatedSet & { readonly wanted: WantedSet }

/** What is to stand there, in the provider's own form. */
export function contentOf(state: ZoneState, { wanted, listed, mark, name }: EvaluatedWanted): Content {
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

export function planCreate(state: ZoneState, evaluated: EvaluatedWanted): PlannedChange {
  const content = contentOf(state, evaluated)
  const after = rowOf(state, evaluated, content)
  return planned(state, evaluated, {
    rank: 'create',
    after: setText(content),
    changes: [markChange(state, evaluated), { ...namedSet(evaluated), wanted: content, seen: null }],
    during: { ...after, state: 'sending' },
    row_after: after,
  })
}

/** Null where all is right, outside and in the ledger. */
export function planUpdate(
  state: ZoneState,
  evaluated: EvaluatedWanted & { listed: ListedRrset },
): PlannedChange | null {
  const { listed, row, ownership } = evaluated
  const content = contentOf(state, evaluated)
  const after = rowOf(state, evaluated, content)
  const mark = markChange(state, evaluated)
  const change = setChange(evaluated, content)
  if (mark === null && change === null && isRecorded(row, after)) return null
  // Without its mark and with another value a set would look like a stranger's, should one of the two get lost.
  const is_two_steps = ownership === 'unmarked' && !sameValues(listed.values, content.values)
  const warning = is_two_steps && mark === null ? commentAlone(evaluated, content) : null
  const marked = warning === null ? listed : { ...listed, comment: content.comment }
  return planned(state, evaluated, {
    rank: change === null || sameSet(listed, content) ? 'mark' : 'update',
    after: afterText(listed, content, { mark: mark !== null || change !== null, row, after }),
    prepare: is_two_steps ? [mark, warning] : [],
    changes: [is_two_steps ? null : mark, change === null ? null : { ...change, seen: marked }],
    during: row === null || (change === null && mark === null) ? null : applying(row, listed, after),
    row_after: after,
  })
}

/** Somebody gave the set into our care. The row stays `adopted` until that is done. */
export function planTakeOver(state: ZoneState, evaluated: EvaluatedWanted): PlannedChange {
  const { listed, conflict } = evaluated
  const content = contentOf(state, evaluated)
  const alias = conflict?.alias ?? null
  const removal = alias === null ? null : { name: alias.name, type: alias.type, wanted: null, seen: alias }
  return planned(state, evaluated, {
    rank: alias !== null ? 'pair' : listed === null ? 'create' : 'update',
    before: alias === null ? undefined : `${alias.type} ${setText(alias)}`,
    after: `${setText(content)} (taken over)`,
    changes: [removal, markChange(state, evaluated), setChange(evaluated, content)],
    during: null,
    row_after: rowOf(state, evaluated, content),
  })
}

const markChange = (state: ZoneState, { name, wanted }: EvaluatedWanted): RrsetChange | null =>
  textMarkChange(state, name, wanted.row.domain_id)

/** Null where the set is right as it stands, its comment included. */
function setChange(evaluated: EvaluatedWanted, content: Content): RrsetChange | null {
  const { listed } = evaluated
  const is_right = listed !== null && isFitted(listed, content) && listed.comment === content.comment
  return is_right ? null : { ...namedSet(evaluated), wanted: content, seen: listed }
}

const commentAlone = (
  evaluated: EvaluatedWanted & { listed: ListedRrset },
  { comment }: Content,
): RrsetChange => ({
  ...namedSet(evaluated),
  wanted: {
    ttl: evaluated.listed.ttl,
    values: evaluated.listed.values,
    proxied: evaluated.listed.proxied,
    comment,
  },
  seen: evaluated.listed,
})

const namedSet = ({ name, type }: EvaluatedSet) => ({ name, type })

const sameSet = (listed: ListedRrset, content: Content): boolean => isFitted(listed, content)

/**
 * It is ours, and a change of it is asked for. This look confirms what was only sent: the set is there as it is. From now on it
 * is there for whoever asks for the change, also where that is never seen to be done.
 */
function applying(
  row: OwnedRrset,
  { values, ttl, proxied, ids }: ListedRrset,
  { domain_id }: LedgerRow,
): LedgerRow {
  const seen = row.state === 'sending' ? { values, ttl, proxied, ids } : {}
  return { ...row, ...seen, domain_id, state: 'applying' }
}

const isRecorded = (row: OwnedRrset | null, after: LedgerRow): boolean =>
  row !== null &&
  row.state === after.state &&
  row.domain_id === after.domain_id &&
  sameValues(row.values, after.values)

const rowOf = (
  state: ZoneState,
  { name, type, wanted, listed }: EvaluatedWanted,
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

function planned(state: ZoneState, evaluated: EvaluatedWanted, draft: Draft): PlannedChange {
  const { name, type, row, wanted, listed } = evaluated
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
