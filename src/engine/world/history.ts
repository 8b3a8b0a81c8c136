/** The changes that the database knows, against the number and the mark of one that the world names. */
import { markOf, type WorldStamp } from '../../model/world-stamp.ts'
import type { StoreReader } from '../../ports/store.ts'

export type Trail = Pick<StoreReader, 'auditTrail'> & { readonly installation_id: string }

/** The audit entry of a decision; its detail says up to which number the world is settled. */
export const RESUMED = 'resume_releases'

/** Up to this number of the world a person has decided. */
export async function settledNumber(store: Pick<Trail, 'auditTrail'>): Promise<number> {
  const [decided] = await store.auditTrail({ action: RESUMED, limit: 1 })
  const number = decided?.detail['world_number']
  return typeof number === 'number' ? number : 0
}

/** Of the newest change. */
export async function ownStamp(store: Trail): Promise<WorldStamp> {
  const { installation_id } = store
  const [newest] = await store.auditTrail({ limit: 1 })
  return newest === undefined
    ? { installation_id, number: 0, mark: '' }
    : { installation_id, number: newest.id, mark: markOf(newest) }
}

/**
 * No installation comes this far by itself: a number above it, and above our own, was made up. Were it believed, the decision
 * over it would drive our own number beyond what we read.
 */
const MAX_CHANGES = 1_000_000_000_000

/** The database has no such change, or another one under its number. */
export async function isUnknownTo(
  store: Trail,
  own: WorldStamp,
  { number, mark }: WorldStamp,
): Promise<boolean> {
  if (number === 0) return false
  if (number > own.number) return number <= MAX_CHANGES
  const [entry] = await store.auditTrail({ limit: 1, before: number + 1 })
  return entry?.id !== number || markOf(entry) !== mark
}
