/**
 * The keys of this API: the main one, of the environment or of its file, and those that were issued by name. In memory and
 * written through. A main key that is replaced, by a rotation or by whoever edits its file, goes on for 24 hours: callers are
 * changed one after another, and nothing is restarted.
 */
import { type Clock, type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { sha256 } from '../../kernel/digest.ts'
import { endedDigest, hasEnded, hasJustEnded, isPast, secretDigest } from '../../kernel/issued-secret.ts'
import type { Log } from '../../kernel/log.ts'
import { Loop } from '../../kernel/async/loop.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiKey, KeyStore } from './files/port.ts'
import { isCalled, MAIN, newKeyId, withDrawnId } from './key-ids.ts'
import { GRACE_MS } from '../../kernel/quarterly.ts'

/** A glance at a file of a few bytes. */
const GLANCE_EVERY_MS: Milliseconds = 2000
/** Ended keys stay in the list for a while. */
const ENDED_KEPT_MS: Milliseconds = 30 * 24 * 3_600_000

export interface KeyRingParts {
  readonly files: KeyStore
  /** As it was found at the start. */
  readonly main: Secret
  /** What is wrong with a key, as the end of a sentence; null for nothing. */
  readonly faultOf: (key: Secret) => string | null
  readonly clock: Clock
  readonly log: Log
}

/** Without keys and without a main key nothing changes. */
export interface KeyChange<T> {
  readonly answer: T
  readonly keys?: readonly ApiKey[]
  /** The next main key, for its file; the one before it goes on for 24 hours. */
  readonly main?: Secret
}

export const keyOf = (secret: Secret, name: string, at: Instant): ApiKey => ({
  id: newKeyId(),
  name,
  digest: secretDigest(secret),
  created_at: at,
  expires_at: null,
})

/** For good: no key has its digest from now on, whatever the clock is set to. */
export const endKey = (key: ApiKey, at: Instant): ApiKey => ({
  ...key,
  digest: endedDigest(key.digest),
  expires_at: at,
})

export class KeyRing {
  readonly #parts: KeyRingParts
  #keys: readonly ApiKey[] = []
  #by_digest: ReadonlyMap<string, ApiKey> = new Map()
  readonly #used = new Map<string, Instant>()
  #turn: Promise<unknown> = Promise.resolve()
  #listener: () => void = () => undefined
  /** By id, of those by which something is read. */
  readonly #ends = new Map<string, AbortController>()
  readonly #loop: Loop
  #has_failed = false

  constructor(parts: KeyRingParts) {
    this.#parts = parts
    this.#loop = new Loop({
      clock: parts.clock,
      round: async () => {
        await this.#inTurn(() => this.#watch())
        this.#has_failed = false
        return GLANCE_EVERY_MS
      },
      failed: (error) => {
        if (!this.#has_failed) parts.log.warn('API keys not looked at', { error })
        this.#has_failed = true
        return GLANCE_EVERY_MS
      },
    })
    this.#main = parts.main
  }

  get main_file(): KeyStore['main'] {
    return this.#parts.files.main
  }

  async prepare(): Promise<void> {
    const { files, main, clock } = this.#parts
    // Nothing is written yet: a command that looks once with a key of its own replaces nobody's.
    this.#stored = (await files.load()).map(withDrawnId)
    this.#adopt(withMain(this.#stored, main, clock.now()))
  }

  start(): void {
    const { files, main, faultOf, log } = this.#parts
    const fault = files.main === null ? null : faultOf(main)
    if (fault !== null) log.warn('the main key is no good one', { path: files.main?.path, fault })
    this.#tellReplaced(this.#stored)
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Calls `listener` whenever there are other keys than before. It must not throw. */
  onChange(listener: () => void): void {
    this.#listener = listener
  }

  /** By name, the oldest first. */
  list(): readonly ApiKey[] {
    return this.#keys
  }

  /** Null where there is none, where it has ended, and where its successor has been issued already. Sign-ins know a key by its earlier id, too. */
  lasting(id: string): ApiKey | null {
    return this.#keys.find((key) => isCalled(key, id) && key.expires_at === null) ?? null
  }

  lastUsed({ id }: ApiKey): Instant | null {
    return this.#used.get(id) ?? null
  }

  /** Found by digest: neither a key's text nor how much of it is right can be told from the time that this takes. */
  prove(text: string): ApiKey | null {
    const now = this.#parts.clock.now()
    const key = this.#by_digest.get(sha256([text]))
    if (key === undefined) return null
    if (hasEnded(key, now)) {
      this.#endPast()
      return null
    }
    this.#used.set(key.id, now)
    return key
  }

  /** Aborts when the key ends; null for what is none. */
  ended(text: string): AbortSignal | null {
    const key = this.prove(text)
    if (key === null) return null
    const end = this.#ends.get(key.id) ?? new AbortController()
    this.#ends.set(key.id, end)
    return end.signal
  }

  /** An end that was seen stays, whatever the clock is set to. It is written down with the next look. */
  #endPast(): void {
    const keys = withPastEnded(this.#keys, this.#parts.clock.now())
    if (keys === this.#keys) return
    this.#is_saved = false
    this.#adopt(keys)
  }

  #endThoseOver(): void {
    const now = this.#parts.clock.now()
    const lasting = new Set(this.#keys.flatMap((key) => (hasEnded(key, now) ? [] : [key.id])))
    for (const [id, end] of this.#ends) {
      if (lasting.has(id)) continue
      this.#ends.delete(id)
      end.abort()
    }
  }

  /** One change after another: what is decided still holds when it is done. In force once it is durable. */
  change<T>(decide: (keys: readonly ApiKey[]) => Promise<KeyChange<T>>): Promise<T> {
    return this.#inTurn(async () => {
      const { files, clock } = this.#parts
      this.#endPast()
      const { answer, keys = null, main = null } = await decide(this.#keys)
      if (main !== null) {
        await files.main?.write(main)
        this.#main = main
        await this.#save(withMain(keys ?? this.#keys, main, clock.now()))
      } else if (keys !== null) await this.#save(keys)
      return answer
    })
  }

  async #watch(): Promise<void> {
    await this.#look()
    this.#endPast()
    const before = this.#keys
    const keys = withMain(before, this.#main, this.#parts.clock.now())
    if (keys === before && this.#is_saved) return
    await this.#save(keys)
    this.#tellReplaced(before)
  }

  /** A file that is gone for a moment, as when an editor saves it, ends no key, and what it holds half-written is none. */
  async #look(): Promise<void> {
    const { files, faultOf, log } = this.#parts
    const found = (await files.main?.read()) ?? this.#main
    const fault = found.equals(this.#main.reveal()) ? null : faultOf(found)
    if (fault === null) {
      this.#main = found
      this.#refused = null
      return
    }
    if (this.#refused?.equals(found.reveal()) !== true)
      log.warn('what stands as the main key is not taken; the present one stays', {
        path: files.main?.path,
        fault,
      })
    this.#refused = found
  }

  /** Whoever replaced a key because others know it has to know that it goes on. */
  #tellReplaced(before: readonly ApiKey[]): void {
    for (const { id, expires_at } of this.#keys) {
      const old = before.find((key) => key.id === id)
      if (old?.name !== MAIN || old.expires_at !== null || expires_at === null) continue
      this.#parts.log.warn('another main key was given; the one before goes on', {
        until: isoTime(expires_at),
        ends_at_once: `plumbline keys revoke ${id}`,
      })
    }
  }

  /** As the file had them at the start. */
  #stored: readonly ApiKey[] = []
  /** The main key, as its file had it last. */
  #main: Secret
  #refused: Secret | null = null
  #is_saved = false

  async #save(keys: readonly ApiKey[]): Promise<void> {
    const { files, clock } = this.#parts
    const now = clock.now()
    const kept = withPastEnded(keys, now).filter((key) => !isPast(key, now - ENDED_KEPT_MS))
    await files.save(kept)
    this.#is_saved = true
    this.#adopt(kept)
    // What has come to its end meanwhile may have been seen.
    this.#endPast()
  }

  #adopt(keys: readonly ApiKey[]): void {
    this.#keys = keys.toSorted((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : a.created_at - b.created_at,
    )
    this.#by_digest = new Map(this.#keys.map((key) => [key.digest, key]))
    this.#endThoseOver()
    this.#listener()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

/** The same object where none of them has come to its end by the clock alone. */
function withPastEnded(keys: readonly ApiKey[], now: Instant): readonly ApiKey[] {
  if (!keys.some((key) => hasJustEnded(key, now))) return keys
  return keys.map((key) => (hasJustEnded(key, now) ? endKey(key, key.expires_at!) : key))
}

/** The same object where it is the main key already. What was the main key before ends after its grace. */
function withMain(keys: readonly ApiKey[], main: Secret, now: Instant): readonly ApiKey[] {
  const next = keyOf(main, MAIN, now)
  const known = keys.find(({ digest }) => digest === next.digest || digest === endedDigest(next.digest))
  const others = keys.filter((key) => key.name === MAIN && key !== known && key.expires_at === null)
  if (known?.name === MAIN && known.access === undefined && known.expires_at === null && others.length === 0)
    return keys
  const rest = keys.filter((key) => key !== known)
  return [
    ...rest.map((key) => (others.includes(key) ? { ...key, expires_at: now + GRACE_MS } : key)),
    // What it was issued for is over, and its end, too: its owner says that it is the main key, which may do everything.
    { ...next, id: known?.id ?? next.id, created_at: known?.created_at ?? now, name: MAIN },
  ]
}
