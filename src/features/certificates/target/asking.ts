/**
 * Asks the authority when to renew (RFC 9773), in the course of a look that comes anyway. What was answered is in the row
 * and holds for hours, so nearly every look asks nobody; a question that leads nowhere is not repeated at every look.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { CertificateParts } from './parts.ts'
import { isToBeAsked } from '../issuing/renewal.ts'
import type { Shelf } from './shelf.ts'
import type { CertificateState } from './state.ts'

const MOST_ASKING_MS: Milliseconds = 3_000
const LEAST_BETWEEN_MS: Milliseconds = 10 * 60_000

export class Asking {
  readonly #parts: Pick<CertificateParts, 'issuer'>
  readonly #shelf: Shelf
  /** By certificate id. */
  readonly #asked = new Map<string, Instant>()

  constructor(parts: Pick<CertificateParts, 'issuer'>, shelf: Shelf) {
    this.#parts = parts
    this.#shelf = shelf
  }

  isDue({ installed, directory, now }: CertificateState): boolean {
    if (installed === null || installed.directory !== directory || !isToBeAsked(installed, now)) return false
    const before = this.#asked.get(installed.ari_id!)
    // A host that slept, or a clock that was set, makes it long ago.
    return before === undefined || Math.abs(now - before) >= LEAST_BETWEEN_MS
  }

  /** The state as it is after the question. */
  async ask(state: CertificateState, signal: AbortSignal): Promise<CertificateState> {
    const { issuer } = this.#parts
    const { installed, now } = state
    if (installed === null) return state
    this.#asked.set(installed.ari_id!, now)
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(MOST_ASKING_MS)])
    try {
      const told = await issuer.askRenewal(installed, bounded)
      if (told.renewal !== installed.renewal) this.#shelf.changed()
      return { ...state, installed: told }
    } catch (error) {
      // An authority that does not answer must not keep anybody from seeing what is there.
      if (signal.aborted || !bounded.aborted) throw error
      return state
    }
  }
}
