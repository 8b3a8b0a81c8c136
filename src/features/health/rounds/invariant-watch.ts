/** The rules of the database, looked at in rounds at a pace of their own: some of them read every row. */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { CheckInvariants, Invariant } from '../../../ports/invariants.ts'
import { UNKNOWN_RULES } from '../../../model/health.ts'
import { KeptLook, MAX_LOOK_MS } from './kept-look.ts'

const EVERY_MS: Milliseconds = 5 * 60_000
/** A rule that is broken or unknown is looked at sooner, so that it is seen to hold again. */
const AGAIN_MS: Milliseconds = 60_000
/** Somebody else wrote into the database: so soon, and no sooner while they go on. */
const AFTER_STRANGERS_MS: Milliseconds = 30_000
const STALE_AFTER_MS: Milliseconds = 3 * EVERY_MS
/** Reading every page of a large file takes longer than a caller can wait. */
const MAX_MS: Milliseconds = 60_000
/** How long the end of the daemon waits for a look. */
const LAST_LOOK_MS: Milliseconds = 1000

export interface InvariantWatchParts {
  readonly clock: Clock
  readonly log: Log
  readonly check: CheckInvariants
  /** Another one after each commit of somebody else's; left out: nobody can tell. */
  readonly strangersStamp?: () => string | null
}

export interface StandingInvariant extends Invariant {
  /** Since when it is what it is now, as far as this process knows. */
  readonly since: Instant
}

export class InvariantWatch {
  readonly #clock: Clock
  readonly #look: KeptLook<readonly Invariant[]>
  /** Of the last look that gave an answer: its rules are unknown while a later one gives none. */
  #rules: readonly Invariant[] = []
  /** By rule, what the last look said and since when. */
  readonly #turned = new Map<string, { readonly holds: Invariant['holds']; readonly at: Instant }>()
  readonly #began_at: Instant
  readonly #strangersStamp: () => string | null
  /** As it was before the last look. */
  #stamp: string | null = null

  constructor({ clock, log, check, strangersStamp = () => null }: InvariantWatchParts) {
    this.#clock = clock
    this.#strangersStamp = strangersStamp
    this.#began_at = clock.now()
    this.#look = new KeptLook({
      name: 'invariants',
      clock,
      log,
      look: ({ signal }) => check(signal),
      isAnswer: isInvariants,
      max_ms: MAX_MS,
    })
  }

  /**
   * Looks where it is time to, and resolves when it has. Whoever asks afresh waits no longer than a caller can: then the
   * look goes on, and what is known stays. Never throws.
   */
  async round(afresh: boolean, ends: AbortSignal): Promise<void> {
    const { began_ms } = this.#look
    const stamp = this.#strangersStamp()
    const pace_ms = this.#paceAt(stamp)
    if (!afresh && began_ms !== null && this.#clock.elapsed() - began_ms < pace_ms) return
    this.#stamp = stamp
    const taking = this.#take(ends)
    if (!afresh) return taking
    const bound = { clock: this.#clock, ms: MAX_LOOK_MS, signal: ends }
    await withTimeout(
      bound,
      () => taking,
      () => undefined,
    ).catch(() => undefined)
  }

  #paceAt(stamp: string | null): Milliseconds {
    if (stamp !== this.#stamp) return AFTER_STRANGERS_MS
    return this.present().every(({ holds }) => holds === true) ? EVERY_MS : AGAIN_MS
  }

  /** Joins a look that is under way: it may read every page. */
  async #take(ends: AbortSignal): Promise<void> {
    const taken = await this.#look.take(false, ends)
    if (taken.known) this.#rules = taken.value
    for (const { name, holds } of this.present())
      if (this.#turned.get(name)?.holds !== holds) this.#turned.set(name, { holds, at: taken.at })
  }

  /** Resolves when no look holds the database open any more, or after a moment: a large file is read to its end. */
  async settled(): Promise<void> {
    const bound = { clock: this.#clock, ms: LAST_LOOK_MS }
    await withTimeout(
      bound,
      () => this.#look.settled(),
      () => undefined,
    )
  }

  /** As `present`, with since when. */
  standing(): readonly StandingInvariant[] {
    return this.present().map((rule) => ({ ...rule, since: this.#sinceOf(rule) }))
  }

  #sinceOf({ name, holds, checked_at }: Invariant): Instant {
    const turned = this.#turned.get(name)
    if (turned === undefined) return this.#began_at
    return turned.holds === holds ? turned.at : checked_at + STALE_AFTER_MS
  }

  /** Each by name, as far as is known by now. */
  present(): readonly Invariant[] {
    const { last } = this.#look
    if (last === null) return unknown(this.#rules, 'Nobody has looked at it yet.', this.#clock.now())
    if (!last.known) return unknown(this.#rules, last.message, last.at)
    const is_stale = this.#clock.now() - last.at > STALE_AFTER_MS
    return is_stale ? unknown(last.value, 'The last look is too old to say.', last.at) : last.value
  }
}

/** Before the first answer nobody knows which rules there are, and that there are some. */
function unknown(rules: readonly Invariant[], detail: string, checked_at: Instant): readonly Invariant[] {
  const known = rules.length > 0 ? rules : [{ name: UNKNOWN_RULES, promise: 'The database keeps its rules.' }]
  return known.map(({ name, promise }) => ({ name, promise, holds: null, detail, checked_at }))
}

function isInvariants(value: unknown): value is readonly Invariant[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one: Partial<Invariant> | null) => {
      if (typeof one !== 'object' || one === null) return false
      const { name, promise, holds, checked_at } = one
      const is_stated = holds === null || typeof holds === 'boolean'
      return (
        typeof name === 'string' && typeof promise === 'string' && is_stated && Number.isFinite(checked_at)
      )
    })
  )
}
