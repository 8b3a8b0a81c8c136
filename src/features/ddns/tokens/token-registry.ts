/**
 * The tokens of gateways, in memory and written through: an update reads no table, and a flood of wrong keys none either.
 * There is one writer of the database, so nobody else changes them.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { endedDigest, hasEnded, secretDigest } from '../../../kernel/issued-secret.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import type { StoreReader } from '../../../ports/store.ts'

/** How often the use of a token is written down. */
const USE_NOTED_EVERY_MS: Milliseconds = 5 * 60_000

export class TokenRegistry {
  readonly #store: StoreReader
  readonly #by_digest = new Map<string, DdnsToken>()
  readonly #use_noted = new Map<string, Instant>()

  constructor(store: StoreReader) {
    this.#store = store
  }

  async load(): Promise<void> {
    this.#by_digest.clear()
    for (const token of await this.#store.of(ddnsRecords).ddnsTokens()) {
      this.add(token)
      if (token.last_used_at !== null) this.#use_noted.set(token.id, token.last_used_at)
    }
  }

  /** By host, the oldest first. */
  list(): readonly DdnsToken[] {
    return [...this.#by_digest.values()].toSorted(
      (a, b) => compare(a.host, b.host) || a.created_at - b.created_at || compare(a.id, b.id),
    )
  }

  byId(id: string): DdnsToken | null {
    return [...this.#by_digest.values()].find((token) => token.id === id) ?? null
  }

  /**
   * The token that the secret proves, null when there is none or it has ended. Found by digest, so neither its text nor
   * how much of it is right can be told from the time that this takes.
   */
  proven(secret: Secret, now: Instant): DdnsToken | null {
    const token = this.#by_digest.get(secretDigest(secret))
    if (token === undefined || !hasEnded(token, now)) return token ?? null
    // Seen once, its end stays, whatever the clock is set to.
    this.end(token.id, token.expires_at!)
    return null
  }

  add(token: DdnsToken): void {
    this.#by_digest.set(token.digest, token)
  }

  /** It goes on until then. */
  limit(id: string, expires_at: Instant): void {
    const token = this.byId(id)
    if (token !== null) this.add({ ...token, expires_at })
  }

  /** For good: no secret finds it any more. */
  end(id: string, expires_at: Instant): void {
    const token = this.byId(id)
    if (token === null) return
    this.#by_digest.delete(token.digest)
    this.add({ ...token, expires_at, digest: endedDigest(token.digest) })
  }

  forget(before: Instant): void {
    for (const { id, digest, expires_at } of this.list()) {
      if (expires_at === null || expires_at >= before) continue
      this.#by_digest.delete(digest)
      this.#use_noted.delete(id)
    }
  }

  /**
   * Notes the use in memory. True when it is time to write it down, too. The caller's token may be older than the book:
   * what has ended it since must not be undone.
   */
  used({ id, digest }: DdnsToken, now: Instant): boolean {
    const token = this.#by_digest.get(digest)
    if (token === undefined) return false
    this.add({ ...token, last_used_at: now })
    const noted = this.#use_noted.get(id)
    if (noted !== undefined && now >= noted && now - noted < USE_NOTED_EVERY_MS) return false
    this.#use_noted.set(id, now)
    return true
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
