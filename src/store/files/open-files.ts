/**
 * Whether the database, its log and the log's index, as this process has them open, are what stands at their paths.
 *
 *   at the path                  then
 *   nothing, or another file     gone, replaced: what is open is whole, so it is saved beside, and the copy is named
 *   the same file, but shorter   cut: a copy of what is open would be corrupt, so the newest backup is named
 *   the same file, written by    overwritten: the same. With a log SQLite writes the main file at checkpoints alone, and each
 *   something else than SQLite   moves the log's index: one that was written while the index stood still was not its work.
 *                                In the log itself nothing changes that was committed (`log-tail.ts`)
 *
 * A file that was moved away and back is in place again; one that was cut or overwritten once never is.
 */
import { type BigIntStats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Statement } from 'better-sqlite3'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { OpenFiles } from '../../ports/storage-check.ts'
import { freePathBeside, newestBackup, saveBeside } from './backups.ts'
import type { Connection } from '../connection.ts'
import { storageFailure } from '../failures.ts'
import { LogTail } from './log-tail.ts'
import { FRAME_HEADER_BYTES, isSameState, LOG_HEADER_BYTES, WalIndex, type WalState } from './wal-index.ts'

const SUFFIXES = ['', '-wal', '-shm'] as const

interface Part {
  readonly path: string
  readonly dev: number
  readonly ino: number
  /** As it was last seen. */
  size: number
}

/** The main file when SQLite was last known to have written it. */
interface Written {
  readonly mtime_ns: bigint
  readonly checkpoints: string
  /** Null where nobody has read it since, or it is too large for that. */
  readonly digest: string | null
}

type Fault = 'gone' | 'replaced' | 'cut' | 'overwritten'
/** What is open is not whole any more. */
const isForGood = (fault: Fault | undefined): boolean => fault === 'cut' || fault === 'overwritten'

interface Harm {
  readonly part: Part
  readonly fault: Fault
}

interface Saved {
  readonly path: string
  /** Why there is no copy yet; null when there is. */
  readonly failure: string | null
  /** On the clock that nobody sets. */
  readonly tried_ms: Milliseconds
}

/** Every write asks, and a copy of a large database holds everybody up. */
const SAVED_AGAIN_AFTER_MS: Milliseconds = 30_000

export class DatabaseFiles implements OpenFiles {
  readonly #connection: Connection
  /** Asked before each read of the store, so prepared once. */
  readonly #data_version: Statement<[], number>
  readonly #clock: Clock
  readonly #log: Log
  readonly #parts: readonly Part[]
  readonly #index: WalIndex
  readonly #tail: LogTail
  #written: Written | null = null
  readonly #listeners: ((hindrance: string | null) => void)[] = []
  /** The first that was met: what comes on top of it changes nothing about the way back. */
  #harm: Harm | null = null
  #saved: Saved | null = null
  #reported: string | null = null

  /** @param connection open and written to once, so that its log is there */
  constructor(connection: Connection, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#connection = connection
    this.#data_version = connection.prepare<[], number>('PRAGMA data_version').pluck()
    this.#clock = clock
    this.#log = log
    this.#parts = SUFFIXES.map((suffix) => {
      const path = connection.name + suffix
      const { dev, ino, size } = statSync(path)
      return { path, dev, ino, size }
    })
    this.#index = new WalIndex(connection.name)
    this.#tail = new LogTail(this.#index)
    // After a crash the index does not say how far the main file is; a checkpoint ends that.
    if (this.#index.read()?.is_writing_back === true) connection.pragma('wal_checkpoint(PASSIVE)')
    this.#look()
  }

  /** After a commit of ours, which may have written the log back. */
  noteCommit(): void {
    if (this.#harm === null) this.#look()
  }

  /** Right before the connection is closed: what it alone has is copied now, or never. */
  saveLast(): void {
    if (this.#saved === null || this.#saved.failure === null) return
    this.#saved = { ...this.#saved, tried_ms: -Infinity }
    this.hindrance()
  }

  /** When the connection is closed, and not before. */
  close(): void {
    this.#index.close()
  }

  onChange(listener: (hindrance: string | null) => void): void {
    this.#listeners.push(listener)
  }

  hindrance(): string | null {
    const found = isForGood(this.#harm?.fault) ? this.#harm : this.#look()
    this.#harm = found === null || isForGood(found.fault) ? found : (this.#harm ?? found)
    if (this.#harm === null) this.#saved = null
    else if (!isForGood(this.#harm.fault)) this.#save()
    const words = this.#harm === null ? null : this.#wordsOf(this.#harm)
    if (words !== this.#reported) this.#tell(words)
    return words
  }

  /** https://sqlite.org/pragma.html#pragma_data_version: our own commits leave it as it is. */
  strangersStamp(): string | null {
    try {
      return String(this.#data_version.get())
    } catch {
      return null
    }
  }

  /** Throws while a file is not in place: `database_missing`, or `database_corrupt` for one that was cut or overwritten. */
  assertInPlace(): void {
    const words = this.hindrance()
    if (words !== null)
      throw new Failure(isForGood(this.#harm?.fault) ? 'database_corrupt' : 'database_missing', words)
  }

  #look(): Harm | null {
    const before = this.#index.read()
    const found = this.#parts.map((part) => ({ part, stats: statOf(part.path) }))
    for (const { part, stats } of found) {
      const fault = placeFault(part, stats)
      if (fault !== null) return { part, fault }
    }
    const after = this.#index.read()
    // Otherwise another process works on them at this moment, and the next look compares.
    const state = before !== null && after !== null && isSameState(before, after) ? after : null
    for (const { part, stats } of found) {
      const fault = stats === undefined || stats === 'unknown' ? null : this.#contentFault(part, stats, state)
      if (fault !== null) return { part, fault }
    }
    return null
  }

  #contentFault(part: Part, stats: BigIntStats, state: WalState | null): Fault | null {
    const size = Number(stats.size)
    if (part.path.endsWith('-shm')) return size < part.size ? 'cut' : keep(part, size)
    if (state === null) return null
    if (size < this.#neededBytes(part, size, state)) return 'cut'
    const is_overwritten =
      part.path === this.#connection.name
        ? this.#isOverwritten(stats, state)
        : this.#tail.isOverwritten(state, () => this.#isStill(state))
    if (is_overwritten) return size < part.size ? 'cut' : 'overwritten'
    return keep(part, size)
  }

  /** What SQLite counts on: another process may have written the log back and shortened it, or vacuumed. */
  #neededBytes(
    { path, size }: Part,
    found: number,
    { frames, pages, page_bytes, ...state }: WalState,
  ): number {
    const has_shrunk = found < size
    // Nobody else can shorten a file while we write.
    if (has_shrunk && this.#connection.inTransaction) return size
    if (path !== this.#connection.name)
      return frames === 0 ? 0 : LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + page_bytes)
    // What grew is in the log alone until it is written back.
    return has_shrunk || state.is_written_back ? page_bytes * Math.max(1, pages) : page_bytes
  }

  /** Written while no checkpoint was; a time that was only set leaves the bytes as they were. */
  #isOverwritten({ mtimeNs: mtime_ns, size }: BigIntStats, state: WalState): boolean {
    if (state.is_writing_back) return false
    const { checkpoints } = state
    const known = this.#written
    const is_same = known?.mtime_ns === mtime_ns
    const is_suspect = known?.checkpoints === checkpoints && !is_same
    if (is_suspect && known.digest === null) return true
    const kept = is_same ? known.digest : null
    // A transaction is not held up for what its end can do as well.
    const is_left = kept !== null || (!is_suspect && this.#connection.inTransaction)
    const digest = is_left ? kept : this.#digest(Number(size), state)
    if (is_suspect && digest !== known.digest) return true
    this.#written = { mtime_ns, checkpoints, digest }
    return false
  }

  #digest(size: number, state: WalState): string | null {
    const digest = this.#index.mainDigest(size)
    return this.#isStill(state) ? digest : null
  }

  #isStill(state: WalState): boolean {
    const now = this.#index.read()
    return now !== null && isSameState(state, now)
  }

  /** Once; tried again after a while where it fails. Not from inside a transaction, whose end comes first. */
  #save(): void {
    if (this.#saved?.failure === null || this.#connection.inTransaction) return
    const tried_ms = this.#clock.elapsed()
    if (this.#saved !== null && tried_ms - this.#saved.tried_ms < SAVED_AGAIN_AFTER_MS) return
    const path = this.#saved?.path ?? freePathBeside(this.#connection, this.#clock.now())
    try {
      saveBeside(this.#connection, path)
      this.#saved = { path, failure: null, tried_ms }
    } catch (error) {
      this.#saved = { path, failure: (storageFailure(error, path) as Error).message, tried_ms }
    }
  }

  #wordsOf({ part, fault }: Harm): string {
    const happened = `${part.path} ${WORDS[fault]} while it was open. Nothing is saved any more.`
    if (isForGood(fault)) return `${happened} ${this.#backupWords()}`
    if (this.#saved === null) return `${happened} What was saved until then is about to be copied beside it.`
    if (this.#saved.failure !== null)
      return (
        `${happened} What was saved until then is in this process alone, and copying it failed: ` +
        `${this.#saved.failure} Leave the process running and make room for the copy, or put the file back.`
      )
    const name = basename(this.#connection.name)
    return (
      `${happened} What was saved until then is whole in ${this.#saved.path}. To bring it back: stop the daemon, ` +
      `move ${SUFFIXES.map((suffix) => name + suffix).join(', ')} out of ${dirname(part.path)} where they are there, ` +
      `rename the copy to ${name}, and start again.`
    )
  }

  #backupWords(): string {
    const directory = dirname(this.#connection.name)
    const newest = newestBackup(directory, { until: this.#clock.now() })
    const lost = 'A copy of it would be corrupt, so none was made.'
    return newest === null
      ? `${lost} There is no backup in ${join(directory, 'backups')}: stop the daemon and restore one of your own.`
      : `${lost} The newest backup is ${newest}: stop the daemon, move the damaged files away, and copy it to ${basename(this.#connection.name)}.`
  }

  #tell(words: string | null): void {
    const was = this.#reported
    this.#reported = words
    if (words !== null) this.#log.error('database files are not in place', { detail: words })
    else if (was !== null)
      this.#log.info('database files are in place again', { path: this.#connection.name })
    for (const listener of this.#listeners) listener(words)
  }
}

/** A folder that is closed to us says nothing about the files in it; that nothing can be written there is told elsewhere. */
function statOf(path: string): BigIntStats | undefined | 'unknown' {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return 'unknown'
  }
}

function placeFault({ dev, ino }: Part, found: BigIntStats | undefined | 'unknown'): Fault | null {
  if (found === 'unknown') return null
  if (found === undefined) return 'gone'
  return Number(found.ino) !== ino || Number(found.dev) !== dev ? 'replaced' : null
}

function keep(part: Part, size: number): null {
  part.size = size
  return null
}

const WORDS: Readonly<Record<Fault, string>> = {
  gone: 'was removed or moved away',
  replaced: 'was replaced by another file',
  cut: 'was cut short in place',
  overwritten: 'was overwritten in place by something else than SQLite',
}
