/**
 * When a certificate is to be renewed. Pure: from its own dates, the authority's hint (RFC 9773) and the wall clock, so that
 * no sleep, step of the clock or restart skips anything.
 *
 *   0 ────────────── 2/3 ──────── 19/20 ── 49/50 ── 1   of its actual lifetime
 *   │  hint: its moment, early or late,     │        │
 *   │  else here ─────▲                     │        │
 *   │                 never later than here ▲        │
 *   │                 here even a wait after trouble gets short ▲
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { InstalledCertificate, RenewalHint } from '../records.ts'
import type { RenewalWindow } from '../acme/port.ts'

const HOUR: Milliseconds = 3_600_000
const SOONEST_QUESTION: Milliseconds = 60_000
export const LATEST_QUESTION: Milliseconds = 6 * HOUR
/** An authority that calls each new certificate due at once would otherwise be asked for one after another. */
const MIN_AGE: Milliseconds = HOUR

type Lifetime = Pick<InstalledCertificate, 'not_before' | 'not_after'>
export type Renewable = Lifetime & Pick<InstalledCertificate, 'obtained_at' | 'ari_id' | 'renewal'>

export interface RenewalDue {
  readonly at: Instant
  readonly now: boolean
  /** `hint`: the authority asked for it. `floor`: the hint was later than is wise. */
  readonly by: 'lifetime' | 'hint' | 'floor'
}

export function renewalDue(certificate: Renewable, now: Instant): RenewalDue {
  const floor = partOf(certificate, 19 / 20)
  const hint = hintFor(certificate)
  const wanted =
    hint === null ? partOf(certificate, 2 / 3) : Math.max(hint.moment, certificate.obtained_at + MIN_AGE)
  const at = Math.min(wanted, floor)
  const by = wanted > floor ? 'floor' : hint === null ? 'lifetime' : 'hint'
  return { at, now: at <= now, by }
}

/** Less than 1/50 of its lifetime is left, or nothing. */
export const isAtItsEnd = (certificate: Lifetime, now: Instant): boolean =>
  now >= partOf(certificate, 49 / 50)

const partOf = ({ not_before, not_after }: Lifetime, part: number): Instant =>
  Math.floor(not_before + (not_after - not_before) * part)

/** A hint for another certificate, such as the one before, says nothing of this one. */
const hintFor = ({ ari_id, renewal }: Renewable): RenewalHint | null =>
  renewal !== null && renewal.ari_id === ari_id ? renewal : null

/** Whether the authority is to be asked. An `ask_at` beyond any that we would set is from before the clock was set back. */
export function isToBeAsked(certificate: Renewable, now: Instant): boolean {
  const hint = hintFor(certificate)
  return certificate.ari_id !== null && (hint === null || !isAhead(hint.ask_at, now))
}

export const isAhead = (ask_at: Instant, now: Instant): boolean =>
  now < ask_at && ask_at <= now + LATEST_QUESTION

/**
 * The hint to keep. The moment is drawn anew only when the window has moved, so that asking often does not make it early.
 * A window that ends before it begins says nothing (RFC 9773 §4.2): null.
 * @param random in [0, 1)
 */
export function hintFrom(
  { start, end, retry_after_ms }: RenewalWindow,
  { ari_id, kept, now, random }: HintContext,
): RenewalHint | null {
  if (!(end > start)) return null
  const wait = Math.min(Math.max(retry_after_ms ?? LATEST_QUESTION, SOONEST_QUESTION), LATEST_QUESTION)
  const same = kept !== null && kept.ari_id === ari_id && kept.start === start && kept.end === end
  const moment = same ? kept.moment : Math.floor(start + random * (end - start))
  return { ari_id, start, end, moment, ask_at: now + wait }
}

export interface HintContext {
  readonly ari_id: string
  readonly kept: RenewalHint | null
  readonly now: Instant
  readonly random: number
}
