/** A value that must not be shown. It prints as hidden wherever it lands, so forgetting is harmless. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

const HIDDEN = '[hidden]'

export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The plain text. Every call of this is a place to review. */
  reveal(): string {
    return this.#value
  }

  /** Constant-time comparison: digests are compared, so neither content nor length leaks through timing. */
  equals(candidate: string): boolean {
    const digest = (text: string) => createHash('sha256').update(text).digest()
    return timingSafeEqual(digest(this.#value), digest(candidate))
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
