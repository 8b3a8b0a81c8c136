/**
 * Whether the process is ready for others to rely on: everything that it keeps true was looked at once since its start,
 * whatever that look has found. What goes wrong later is the health page's matter, but for one thing: without its database
 * the process can do nothing for anybody.
 */
import type { KeyStatus } from '../../engine/status/key-status.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { OpenFiles } from '../../ports/storage-check.ts'

export class Readiness {
  readonly #keys: () => readonly KeyStatus[]
  readonly #files: Pick<OpenFiles, 'hindrance'>
  #working = false
  #ready = false

  constructor(keys: () => readonly KeyStatus[], files: Pick<OpenFiles, 'hindrance'>) {
    this.#keys = keys
    this.#files = files
  }

  /** The engine works. */
  start(): void {
    this.#working = true
  }

  /** Null when ready, else why not, as a sentence. */
  hindrance(now: Instant): string | null {
    if (this.#files.hindrance() !== null) return WITHOUT_DATABASE
    if (this.#ready) return null
    if (!this.#working) return 'The reconciler has not begun its work.'
    const open = this.#keys().filter((status) => isUnseen(status, now))
    if (open.length > 0) return `${open.length} of what is kept true has not been looked at yet.`
    this.#ready = true
    return null
  }
}

/** Anybody may ask, so that no path is named. */
const WITHOUT_DATABASE =
  'The database or its log was removed, replaced, cut or overwritten; nothing can be saved. ' +
  '/api/control-plane/health and the log say which, and the way back.'

/** A key that is left alone, by a suspension or by a wait that an earlier process left, is not waited for. */
const isUnseen = ({ conditions, seen_at, next_attempt_at, mode }: KeyStatus, now: Instant): boolean =>
  conditions !== null && seen_at === null && mode.mode !== 'suspend' && (next_attempt_at ?? now) <= now
