/** A value that must not be shown. It prints as hidden wherever it lands, so forgetting is harmless. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

const HIDDEN = '[hidden]'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export class Secret {
  readonly #value: string
  readonly #digest: Buffer

  constructor(value: string) {
    this.#value = value
    this.#digest = digest(value)
  }

  /** The plain text. Every call of this is a place to review. */
  reveal(): string {
    return this.#value
  }

  /** Constant-time comparison: digests are compared, so neither content nor length leaks through timing. */
  equals(candidate: string): boolean {
    return timingSafeEqual(this.#digest, digest(candidate))
  }

  /** Words of a stranger without this, should the stranger repeat what was sent. */
  hideIn(text: string): string {
    return this.#value === '' ? text : text.replaceAll(this.#value, HIDDEN)
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
