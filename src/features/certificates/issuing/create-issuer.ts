/** The issuer put together from its parts. */
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { CertificateOrder } from '../order-records.ts'
import type { InstalledCertificate, RenewalHint } from '../records.ts'
import type { CertificateWish, Issuer } from './port.ts'
import { setSubject } from './ledger.ts'
import type { IssuerParts } from './parts.ts'
import { hintFrom, isAhead, isToBeAsked, LATEST_QUESTION } from './renewal.ts'
import { abandonOrder } from './steps/abandon-order.ts'
import { issue } from './steps/issue-certificate.ts'
import { preflight } from './steps/preflight.ts'

export function createIssuer(parts: IssuerParts): Issuer {
  const work = new SharedWork<InstalledCertificate>()
  const questions = new RenewalQuestions(parts)
  const isRunning = (name: string): boolean => work.isRunning(name)
  return {
    issue: (wish, why) =>
      work.run({ name: wish.name, what: setSubject(wish.names), signal: why.signal }, () =>
        issue(parts, wish, why),
      ),
    preflight: (wish, signal) => preflight(parts, wish, signal),
    tidy: (wanted, signal) => tidy(parts, wanted, { isRunning, signal }),
    askRenewal: (certificate, signal) => questions.ask(certificate, signal),
  }
}

// One piece of work for each name at a time; who asks for the same meanwhile gets the same.

interface Running<T> {
  readonly what: string
  readonly result: Promise<T>
  readonly signal: AbortSignal
}

class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>()

  isRunning(name: string): boolean {
    return this.#running.has(name)
  }

  /**
   * Runs `work` unless the same is under way; then its result is shared. Work that ended because its own caller went away,
   * or that was for something else, is done again.
   * @param what tells whether two pieces of work for a name are the same
   */
  async run({ name, what, signal }: Wanted, work: () => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted()
      const other = this.#running.get(name)
      if (other === undefined) return this.#start({ name, what, signal }, work)
      const same = await endOf(other, what, signal)
      if (same !== null) return same.result
    }
  }

  async #start({ name, what, signal }: Wanted, work: () => Promise<T>): Promise<T> {
    const result = work().finally(() => this.#running.delete(name))
    this.#running.set(name, { what, result, signal })
    return result
  }
}

interface Wanted {
  readonly name: string
  readonly what: string
  readonly signal: AbortSignal
}

/** Null where its end says nothing to us. Rejects with our signal's reason. */
async function endOf<T>(other: Running<T>, what: string, signal: AbortSignal): Promise<Running<T> | null> {
  const ended = other.result.catch(() => undefined)
  await untilAborted(ended, signal)
  return other.what === what && !other.signal.aborted ? other : null
}

// Taking away what orders left behind: those that nobody wants any more, and traces of those that are over.

/** @param isRunning whether an order for the name is just being worked on: its traces are still needed */
async function tidy(
  parts: IssuerParts,
  wanted: readonly CertificateWish[],
  { isRunning, signal }: { readonly isRunning: (name: string) => boolean; readonly signal: AbortSignal },
): Promise<void> {
  const names = new Set(wanted.map(({ name }) => name))
  for (const order of await parts.store.certificateOrders())
    if (!isRunning(order.name) && (!names.has(order.name) || isOver(order))) await tryTo(parts, order, signal)
  await dropFailuresBut(parts, names)
  await dropKeysWithoutOrder(parts, { isRunning, signal })
}

const isOver = ({ step }: CertificateOrder): boolean => step === 'stored' || step === 'failed'

async function tryTo(parts: IssuerParts, order: CertificateOrder, signal: AbortSignal): Promise<void> {
  try {
    await abandonOrder(parts, order, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('TXT records of an order are still there', { name: order.name, error })
  }
}

async function dropFailuresBut({ store }: IssuerParts, names: ReadonlySet<string>): Promise<void> {
  const unwanted = (await store.certificateFailures()).filter(({ name }) => !names.has(name))
  if (unwanted.length === 0) return
  await store.write(async (tx) => {
    for (const { name } of unwanted) await tx.dropFailure(name)
  })
}

async function dropKeysWithoutOrder(
  { store, files, log }: IssuerParts,
  { isRunning, signal }: { readonly isRunning: (name: string) => boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    // The keys first: one that comes later has its row already.
    const keys = await files.requests(signal)
    if (keys.length === 0) return
    const orders = new Set((await store.certificateOrders()).map(({ id }) => id))
    for (const key of keys)
      if (!orders.has(key.order_id) && !isRunning(key.name)) await files.dropRequest(key)
  } catch (error) {
    signal.throwIfAborted()
    log.warn('keys of orders that are gone could not be looked after', { error })
  }
}

// Asking the authority when a certificate is to be renewed (RFC 9773), as often as it likes to be asked.

/** An authority that is down is asked again after that. */
const AFTER_FAILURE_MS = 900_000

type Parts = Pick<IssuerParts, 'acme' | 'store' | 'clock' | 'random' | 'log'>

class RenewalQuestions {
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
