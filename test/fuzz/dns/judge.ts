/** The laws over what was really changed at the provider. The judge knows whose a set is from what happened, not from us. */
import { type OwnedRrset, rrsetKey } from '../../../src/model/network/dns.ts'
import type { IntentRow } from '../../../src/model/intent.ts'
import { markName } from '../../../src/features/dns/target/marks/marker.ts'
import type { Hosted, Standing } from './providers.ts'
import type { Accepted } from './wire.ts'

export interface Laws {
  readonly shown: Hosted['shown']
  /** How every mark of ours begins. */
  readonly mark: string
  /** Sets that were never ours, by `rrsetKey`. */
  readonly strangers: ReadonlySet<string>
  /** What is released. */
  readonly rows: readonly IntentRow[]
}

export const isManaged = ({ type }: { readonly type: string }): boolean => type === 'A' || type === 'AAAA'

/** Throws for the first law that is broken. Tells the sets that went. */
export function judge(accepted: Accepted, laws: Laws): readonly string[] {
  const { before, after, request } = accepted
  const gone: string[] = []
  for (const { was, is } of movesOf(before, after)) {
    const set = laws.shown((was ?? is)!)
    const told = `${rrsetKey(set)} by ${request}`
    hold(!laws.strangers.has(rrsetKey(set)), `a stranger's set was touched: ${told}`)
    if (!isManaged(set)) {
      hold(isMark(set, laws), `what is no mark of ours was touched: ${told}`)
      continue
    }
    const row = accepted.owned.find((one) => rrsetKey(one) === rrsetKey(set))
    hold(row !== undefined, `a set was touched that is not in the ledger: ${told}`)
    if (was === null) continue
    hold(isMarked(set, before, laws), `a set was touched that does not bear our mark: ${told}`)
    if (standsIn(after, set, laws)) continue
    gone.push(rrsetKey(set))
    hold(!accepted.on_broken_listing, `a set was deleted after a listing that was not whole: ${told}`)
    hold(mayGo(row, laws.rows), `a set was deleted without a reason: ${told}`)
  }
  return gone
}

/** Retired, renamed, or with an address of its own of the other family: nothing else lets a set go. */
export function mayGo(row: OwnedRrset, rows: readonly IntentRow[]): boolean {
  const record = rows.find(({ domain_id }) => domain_id === row.domain_id)
  if (record === undefined) return false
  const { static_ip, domain } = record.fields
  const is_other_family = static_ip !== null && static_ip.includes(':') !== (row.type === 'AAAA')
  return record.retired || domain !== row.name || (record.live && is_other_family)
}

interface Move {
  readonly was: object | null
  readonly is: object | null
}

function* movesOf(before: Accepted['before'], after: Accepted['after']): Generator<Move> {
  for (const [key, was] of before) if (after.get(key) !== was) yield { was, is: after.get(key) ?? null }
  for (const [key, is] of after) if (!before.has(key)) yield { was: null, is }
}

const standsIn = (state: Accepted['after'], set: Standing, { shown }: Laws): boolean =>
  [...state.values()].some((entry) => rrsetKey(shown(entry)) === rrsetKey(set))

const isMark = ({ name, type, values }: Standing, { mark }: Laws): boolean =>
  type === 'TXT' && name.startsWith('_plumbline.') && values.every((value) => value.includes(mark))

/** By its comment, or by the text beside its name. */
function isMarked(set: Standing, state: Accepted['before'], laws: Laws): boolean {
  if (set.comment?.startsWith(laws.mark) === true) return true
  const beside = markName(set.name)
  return [...state.values()].some((entry) => {
    const other = laws.shown(entry)
    return other.name === beside && isMark(other, laws)
  })
}

export function hold(law: boolean, otherwise: string): asserts law {
  if (!law) throw new Error(otherwise)
}
