/**
 * Rules that the provider refused. The same bytes are refused again, and each try by a restart shuts everybody out for half a
 * minute; so they are not tried again until they change, a person asks or a while has passed: it may have been the provider that
 * was not well, and rules that close something must not wait for ever. What a restart refused is known across restarts
 * of the daemon, too.
 */
import { sha256 } from '../../../kernel/digest.ts'
import { type Clock, type Instant, isFromAhead, type Milliseconds } from '../../../kernel/clock.ts'
import { isTheirs, type Whose } from '../../../model/whose.ts'
import type { Store } from '../../../ports/store.ts'
import { debtRecords } from '../records.ts'

const rowOf = (text: string): string => `sso_rules_refused/${sha256([text])}`
const MAX_KEPT = 10
/** A check shuts nobody out. */
const AFTER_A_CHECK_MS: Milliseconds = 3_600_000
const AFTER_A_RESTART_MS: Milliseconds = 24 * 3_600_000

interface Refusal {
  readonly why: string
  readonly at: Instant
  readonly until: Instant
}

export class RefusedRules {
  readonly #store: Pick<Store, 'write' | 'of'>
  readonly #clock: Clock
  readonly #words = new Map<string, Refusal>()

  constructor(store: Pick<Store, 'write' | 'of'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Why it was refused, as a sentence; null for a text that was not. */
  async whyNot(text: string): Promise<string | null> {
    const now = this.#clock.now()
    const known = this.#words.get(text)
    if (known !== undefined && now < known.until && !isFromAhead(known.at, now)) return known.why
    const since = await this.#store.of(debtRecords).debt(rowOf(text))
    if (since === null || now >= since + AFTER_A_RESTART_MS || isFromAhead(since, now)) return null
    return 'The SSO provider did not come up with these rules.'
  }

  /** The provider's own check said no; nothing was written, so another process may ask it once more. */
  byCheck(text: string, why: string): void {
    const at = this.#clock.now()
    this.#keep(text, { why, at, until: at + AFTER_A_CHECK_MS })
  }

  #keep(text: string, refusal: Refusal): void {
    this.#words.delete(text)
    this.#words.set(text, refusal)
    for (const oldest of this.#words.keys()) {
      if (this.#words.size <= MAX_KEPT) break
      this.#words.delete(oldest)
    }
  }

  /** It did not come up with this text, and did with the one before. */
  async byRestart(text: string, why: string): Promise<void> {
    const at = this.#clock.now()
    this.#keep(text, { why, at, until: at + AFTER_A_RESTART_MS })
    await this.#store.write((tx) => tx.of(debtRecords).owe(rowOf(text), at))
  }

  async taken(text: string): Promise<void> {
    this.#words.delete(text)
    if ((await this.#store.of(debtRecords).debt(rowOf(text))) !== null)
      await this.#store.write((tx) => tx.of(debtRecords).settleDebt(rowOf(text), Number.MAX_SAFE_INTEGER))
  }
}

/** Whether somebody asks for these very differences; those of no record are anybody's. @param asked_for as a pass has it */
export const isAskedFor = (asked_for: Whose | null | undefined, domain_ids: readonly number[]): boolean =>
  asked_for !== null && asked_for !== undefined && isTheirs(asked_for, domain_ids)
