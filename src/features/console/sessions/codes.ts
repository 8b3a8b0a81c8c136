/**
 * Codes of sign-in links: they live for a minute, work once, and only for the client that asked for them. In memory, by digest: a
 * restart ends them all.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { newSecret } from '../../../kernel/issued-secret.ts'
import type { Secret } from '../../../kernel/secret.ts'

export const CODE_LIVES_MS: Milliseconds = 60_000
const MAX_CODES = 100

interface Code {
  readonly key_id: string
  readonly client: string
  /** By the clock that nobody sets. */
  readonly ends: Milliseconds
}

export class SignInCodes {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #codes = new Map<string, Code>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  issue(key_id: string, client: string): Secret {
    const secret = newSecret()
    this.#codes.set(sha256([secret.reveal()]), {
      key_id,
      client: hostOf(client),
      ends: this.#clock.elapsed() + CODE_LIVES_MS,
    })
    if (this.#codes.size > MAX_CODES) this.#codes.delete(this.#codes.keys().next().value!)
    return secret
  }

  /** The key by which it was made; null for what is no code, was used, is too old, or was made for another host: then it is used up. */
  take(code: string, client: string): string | null {
    const digest = sha256([code])
    const found = this.#codes.get(digest)
    this.#codes.delete(digest)
    if (found === undefined || found.ends <= this.#clock.elapsed()) return null
    return found.client === hostOf(client) ? found.key_id : null
  }
}

/** This host is one, whichever of its own addresses it calls from. */
const hostOf = (client: string): string =>
  client === '::1' || client.startsWith('127.') ? 'loopback' : client
