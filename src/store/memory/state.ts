/**
 * What is read at every look and changed by few writes, kept in memory: both editions, the newest release, and what
 * features want to be kept.
 *
 * Written through: the open transaction stages its changes, a commit publishes them before anyone else gets the
 * connection, a rollback discards them. After a commit of somebody else's it is made anew.
 */
import type { Edition } from '../../model/intent.ts'
import type { RecordSet } from '../../ports/record-set.ts'
import type { DamagedRecord } from '../../ports/records/damaged.ts'
import type { ReleaseHead } from '../../ports/records/trails.ts'
import type { EditionMemory } from './editions.ts'

export class StoreMemory {
  readonly editions: Readonly<Record<Edition, EditionMemory>>
  /** Of features, by the name of the query. */
  readonly #kept = new Map<RecordSet, Map<string, KeptRead<object>>>()
  /** As they were found, less those that were deleted since. */
  #damaged: readonly DamagedRecord[]
  readonly #staged_deletes = new Set<number>()
  #head: ReleaseHead | null
  #staged_head: ReleaseHead | null = null

  constructor(
    editions: Readonly<Record<Edition, EditionMemory>>,
    head: ReleaseHead | null,
    damaged: readonly DamagedRecord[] = [],
  ) {
    this.editions = editions
    this.#damaged = damaged
    this.#head = head && frozenHead(head)
  }

  /** What a query of a set answered, when the set wants that kept. */
  kept(set: RecordSet, query: string): KeptRead<object> {
    const of_set = this.#kept.get(set) ?? new Map<string, KeptRead<object>>()
    const kept = of_set.get(query) ?? new KeptRead<object>()
    this.#kept.set(set, of_set.set(query, kept))
    return kept
  }

  /** As of the last commit. */
  committedHead(): ReleaseHead | null {
    return this.#head
  }

  /** As the open transaction sees it. */
  stagedHead(): ReleaseHead | null {
    return this.#staged_head ?? this.#head
  }

  stageHead(head: ReleaseHead): void {
    this.#staged_head = frozenHead(head)
  }

  damagedRecords(): readonly DamagedRecord[] {
    return this.#damaged
  }

  /** The open transaction deletes a record; what was said of its damage goes with it. */
  stageDelete(domain_id: number): void {
    this.#staged_deletes.add(domain_id)
  }

  /** Orders what the commit publishes. */
  prepare(): void {
    for (const edition of Object.values(this.editions)) edition.staged()
  }

  publish(): void {
    if (this.#staged_deletes.size > 0)
      this.#damaged = this.#damaged.filter(({ domain_id }) => !this.#staged_deletes.has(domain_id))
    this.#staged_deletes.clear()
    this.#head = this.stagedHead()
    this.#staged_head = null
    for (const part of this.#parts()) part.publish()
  }

  discard(): void {
    this.#staged_deletes.clear()
    this.#staged_head = null
    for (const part of this.#parts()) part.discard()
  }

  #parts() {
    const kept = [...this.#kept.values()].flatMap((of_set) => [...of_set.values()])
    return [...Object.values(this.editions), ...kept]
  }
}

function frozenHead(head: ReleaseHead): ReleaseHead {
  Object.freeze(head.warnings)
  Object.freeze(head.digests)
  return Object.freeze(head)
}

/** What a query answered, for as long as no commit has changed it. Looks come often, and their answers are large. */
class KeptRead<T extends object> {
  #kept: T | null = null
  #staged = false
  /** Raised by every change: an answer that was read before is not kept. */
  #era = 0

  /** The same object until something changes; whoever gets it must not change it. */
  async read(query: () => Promise<T>): Promise<T> {
    if (this.#kept !== null) return this.#kept
    const era = this.#era
    const answer = Object.freeze(await query())
    if (era === this.#era) this.#kept = answer
    return answer
  }

  /** The open transaction changes what is read. */
  stage(): void {
    this.#staged = true
  }

  publish(): void {
    if (!this.#staged) return
    this.#staged = false
    this.#kept = null
    this.#era++
  }

  discard(): void {
    this.#staged = false
  }
}
