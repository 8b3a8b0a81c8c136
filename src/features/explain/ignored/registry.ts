/** Which differences may stay, in memory and in their rows. One that has ended counts no more at once; its row follows. */
import type { EventLog } from '../../../core/events/event-log.ts'
import {
  IGNORED_ENDS,
  type IgnoredDifference,
  type IgnoredDifferences,
  type IgnoredEnd,
} from '../../../engine/pass/ignored.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Store } from '../../../ports/store.ts'
import { ignoredRecords } from '../records.ts'

export interface RegistryParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
}

export class IgnoredRegistry implements IgnoredDifferences {
  readonly #parts: RegistryParts
  #by_key: ReadonlyMap<string, readonly IgnoredDifference[]> = new Map()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: RegistryParts) {
    this.#parts = parts
  }

  async prepare(): Promise<void> {
    this.#set(await this.#parts.store.of(ignoredRecords).ignoredDifferences())
  }

  /** What has ended is written down. */
  async close(): Promise<void> {
    await this.#writing
  }

  of(key: string): readonly IgnoredDifference[] {
    return this.#by_key.get(key) ?? []
  }

  get all(): readonly IgnoredDifference[] {
    return [...this.#by_key.values()].flat()
  }

  /** They are in their rows. */
  adopt(rows: readonly IgnoredDifference[]): void {
    this.#set([...this.#without(rows), ...rows])
  }

  /** Their rows are gone. */
  drop(rows: readonly IgnoredDifference[]): void {
    this.#set(this.#without(rows))
  }

  ended(rows: readonly IgnoredDifference[], why: IgnoredEnd): void {
    this.drop(rows)
    this.#writing = this.#writing.then(() => this.#write(rows, why))
  }

  async #write(rows: readonly IgnoredDifference[], why: IgnoredEnd): Promise<void> {
    const { store, events, clock, log } = this.#parts
    const at = clock.now()
    const items = rows.map(({ item }) => item)
    const message = `${items.join(', ')} is ignored no more: ${IGNORED_ENDS[why]}.`
    try {
      await store.write(async (tx) => {
        for (const { key, item } of rows) await tx.of(ignoredRecords).dropIgnored(key, item)
        await tx.addEvent({ at, kind: 'ignored', message, facts: { items, until: null, why } })
      })
      events.added()
    } catch (error) {
      // Its row counts again after a restart, for as long as it fits what stands there.
      log.warn('the end of an ignored difference is not kept', { items, error })
    }
  }

  #without(rows: readonly IgnoredDifference[]): readonly IgnoredDifference[] {
    return this.all.filter((one) => !rows.some(({ key, item }) => key === one.key && item === one.item))
  }

  #set(rows: readonly IgnoredDifference[]): void {
    this.#by_key = Map.groupBy(rows, ({ key }) => key)
  }
}
