/** One run of writes at the controllers, each with its row before and after it. */
import { Failure } from '../../../kernel/failure.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { ClientNames } from '../../discovery/model/names-port.ts'
import { type NewRename, type RenameOutcome, renameRecords } from '../records.ts'
import type { Core } from '../../../core/core.ts'

export interface FailedRename extends NewRename {
  readonly why: string
}

type RunCore = Pick<Core, 'store' | 'clock'>

/** What was read longer ago is read again before it is written over. */
const FRESH_MS: Milliseconds = 5000
const WRITE_MS: Milliseconds = 15_000

export class RenameRun {
  readonly #core: RunCore
  readonly #names: readonly ClientNames[]
  /** Before the first name was read that is written over here. */
  readonly #read_since: Milliseconds
  /** Writes that a row stands for. */
  begun = 0
  readonly renamed: NewRename[] = []
  readonly #failed: FailedRename[] = []

  /** @param read_since on the monotonic clock, before the lists were read that are written over */
  constructor(core: RunCore, names: readonly ClientNames[], read_since: Milliseconds) {
    this.#core = core
    this.#names = names
    this.#read_since = read_since
  }

  /**
   * Ends between two writes when nobody waits any more; the rest is told as failed. Throws `component_unavailable` where the
   * credential may not write.
   */
  async write(
    renames: readonly NewRename[],
    signal: AbortSignal,
  ): Promise<{ readonly renamed: readonly NewRename[]; readonly failed: readonly FailedRename[] }> {
    const silent = new Set<string>()
    for (const rename of renames) {
      const names = this.#names.find(({ name }) => name === rename.controller)!
      if (signal.aborted) this.#fail(rename, 'The call ended before it.')
      else if (silent.has(rename.controller)) this.#fail(rename, 'Its controller does not answer any more.')
      else if (!(await this.#one(names, rename))) silent.add(rename.controller)
    }
    return { renamed: this.renamed, failed: this.#failed }
  }

  /** False where the controller does not answer. A write is not cut off by a caller who goes away. */
  async #one(names: ClientNames, rename: NewRename): Promise<boolean> {
    const { store, clock } = this.#core
    const { site, user_id, name } = rename
    const is_still = clock.elapsed() - this.#read_since <= FRESH_MS || (await this.#isStill(names, rename))
    if (is_still !== true) return is_still !== null
    const id = await store.write((tx) => tx.of(renameRecords).beginRename(rename, clock.now()))
    this.begun++
    const written = await names.rename(site, user_id, name, AbortSignal.timeout(WRITE_MS))
    const outcome: RenameOutcome | null = written.known ? 'written' : await this.#found(names, rename)
    if (outcome !== null)
      await store.write((tx) => tx.of(renameRecords).endRename(id, { outcome, ended_at: clock.now() }))
    if (outcome === 'written') this.renamed.push(rename)
    else if (!written.known) {
      if (written.refused) throw mayNotWrite(written.detail, this.renamed.length)
      const then = outcome === null ? ' Whether it was written is not known; the next run looks.' : ''
      this.#fail(rename, `${written.detail.replace(/\.$/, '')}.${then}`)
    }
    return outcome !== null
  }

  /** Whether the name that would be written over is the one that was decided about; null where the controller does not say. */
  async #isStill(names: ClientNames, rename: NewRename): Promise<boolean | null> {
    const now = await names.one(rename.site, rename.user_id, AbortSignal.timeout(WRITE_MS))
    if (now.known && now.value?.name === rename.name_before) return true
    this.#fail(rename, now.known ? 'Its name was changed meanwhile.' : now.detail)
    return now.known ? false : null
  }

  /** What the controller has after a write that nobody answered for; null where it does not say. */
  async #found(
    names: ClientNames,
    { site, user_id, name, name_before }: NewRename,
  ): Promise<RenameOutcome | null> {
    const now = await names.one(site, user_id, AbortSignal.timeout(WRITE_MS))
    if (!now.known) return null
    if (now.value?.name === name) return 'written'
    return now.value?.name === name_before ? 'not_written' : 'superseded'
  }

  #fail(rename: NewRename, why: string): void {
    this.#failed.push({ ...rename, why })
  }
}

const mayNotWrite = (detail: string, written: number): Failure =>
  new Failure(
    'component_unavailable',
    `${detail.replace(/\.$/, '')}. The key of the controller needs the right to write (PLUMBLINE_UNIFI_API_KEY). ` +
      `${written === 0 ? 'Nothing was' : `${written} names were`} written.`,
    { facts: { written } },
  )
