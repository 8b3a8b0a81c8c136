/**
 * What is read at every look and changed by few writes, kept in memory: both editions and the newest release.
 *
 * Written through: the open transaction stages its changes, a commit publishes them before anyone else gets the
 * connection, a rollback discards them. Nobody else may write to the database.
 */
import type { Edition } from '../../model/intent.ts'
import type { ReleaseHead } from '../../ports/store.ts'
import type { EditionMemory } from './edition-memory.ts'

export class StoreMemory {
  readonly editions: Readonly<Record<Edition, EditionMemory>>
  #head: ReleaseHead | null
  #staged_head: ReleaseHead | null = null

  constructor(editions: Readonly<Record<Edition, EditionMemory>>, head: ReleaseHead | null) {
    this.editions = editions
    this.#head = head && frozenHead(head)
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

  publish(): void {
    this.#head = this.stagedHead()
    this.#staged_head = null
    for (const edition of Object.values(this.editions)) edition.publish()
  }

  discard(): void {
    this.#staged_head = null
    for (const edition of Object.values(this.editions)) edition.discard()
  }
}

function frozenHead(head: ReleaseHead): ReleaseHead {
  Object.freeze(head.warnings)
  Object.freeze(head.digests)
  return Object.freeze(head)
}
