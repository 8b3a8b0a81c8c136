/**
 * What the provider was asked for last and does not show, set by set: it did not accept it, or accepted it and did not do it.
 * Kept in memory: a process knows what it asked for.
 */
import { rrsetKey } from '../../../../model/network/dns.ts'
import { setText } from '../marks/set-text.ts'
import type { Item } from '../writing/planned-change.ts'

export interface Unaccepted {
  /** What the provider said; null where it accepted it, and its listing does not show it. */
  readonly message: string | null
  /** What was to stand there, as `setText` tells it; null where it was to go. */
  readonly asked: string | null
  /** Somebody had taken it away before. */
  readonly was_lost: boolean
}

export type UnacceptedSets = ReadonlyMap<string, Unaccepted>

/** What is known of those that are about to be asked for: of a set that is made again, that it had been taken away. */
export function unacceptedDuring(before: UnacceptedSets, asked: readonly Item[]): UnacceptedSets {
  const lost = asked.flatMap(({ key, payload }) => {
    const known = before.get(key)
    return wasLost(payload, known)
      ? [[key, { message: null, asked: null, ...known, was_lost: true }] as const]
      : []
  })
  return lost.length === 0 ? before : new Map([...before, ...lost])
}

/** @param messages why single items were not accepted, by their keys; null where they were, and no listing shows them */
export function unacceptedAfter(
  before: UnacceptedSets,
  tried: readonly Item[],
  messages: ReadonlyMap<string, string | null>,
): UnacceptedSets {
  const keys = new Set(tried.map(({ key }) => key))
  const found = tried.flatMap(({ key, payload }) => {
    const message = messages.get(key)
    const set = payload.changes.find((change) => rrsetKey(change) === rrsetKey(payload.row))
    if (message === undefined || set === undefined) return []
    const { wanted } = set
    const asked = wanted === null ? null : setText(wanted)
    return [[key, { message, asked, was_lost: wasLost(payload, before.get(key)) }] as const]
  })
  return new Map([...[...before].filter(([key]) => !keys.has(key)), ...found])
}

/** Once it was asked for anew the ledger does not tell any more that it stood there. */
function wasLost({ rank, ledger }: Item['payload'], before: Unaccepted | undefined): boolean {
  if (rank !== 'create' || ledger.before === null) return false
  return ledger.before.state === 'sending' ? before?.was_lost === true : true
}
