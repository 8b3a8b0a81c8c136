/** Asking the authority when a certificate is to be renewed (RFC 9773), as often as it likes to be asked. */
import type { Instant } from '../../../kernel/clock.ts'
import type { InstalledCertificate, RenewalHint } from '../records.ts'
import type { IssuerParts } from './parts.ts'
import { hintFrom, isAhead, isToBeAsked, LATEST_QUESTION } from './renewal.ts'

/** An authority that is down is asked again after that. */
const AFTER_FAILURE_MS = 900_000

type Parts = Pick<IssuerParts, 'acme' | 'store' | 'clock' | 'random' | 'log'>

export class RenewalQuestions {
  readonly #parts: Parts
  /** When to ask again for certificates without an answer that could be kept on their row. */
  readonly #later = new Map<string, Instant>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async ask(certificate: InstalledCertificate, signal: AbortSignal): Promise<InstalledCertificate> {
    const { acme, clock } = this.#parts
    const { ari_id, directory } = certificate
    const now = clock.now()
    if (ari_id === null || directory !== acme.directory || !isToBeAsked(certificate, now)) return certificate
    if (isAhead(this.#later.get(ari_id) ?? now, now)) return certificate
    const renewal = await this.#hint(certificate, ari_id, signal)
    return renewal === null ? certificate : this.#keep({ ...certificate, renewal })
  }

  /** Null where there is none to keep. */
  async #hint(
    { name, renewal: kept }: InstalledCertificate,
    ari_id: string,
    signal: AbortSignal,
  ): Promise<RenewalHint | null> {
    const { acme, clock, random, log } = this.#parts
    try {
      const window = await acme.renewalWindow(ari_id, signal)
      const context = { ari_id, kept, now: clock.now(), random: random() }
      const hint = window === null ? null : hintFrom(window, context)
      if (hint === null) this.#later.set(ari_id, clock.now() + LATEST_QUESTION)
      else this.#later.delete(ari_id)
      return hint
    } catch (error) {
      signal.throwIfAborted()
      log.info('the authority did not say when to renew', { name, error })
      this.#later.set(ari_id, clock.now() + AFTER_FAILURE_MS)
      return null
    }
  }

  /** Unless another certificate came meanwhile, of which it says nothing. */
  async #keep(certificate: InstalledCertificate): Promise<InstalledCertificate> {
    const { name, fingerprint } = certificate
    return this.#parts.store.write(async (tx) => {
      const standing = (await tx.certificates()).find((one) => one.name === name)
      if (standing?.fingerprint !== fingerprint) return standing ?? certificate
      await tx.saveCertificate(certificate)
      return certificate
    })
  }
}
