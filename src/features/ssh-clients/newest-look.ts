/** What the newest look at the gateway's file has seen: a look costs a login there, so whoever has just caused one takes no other. */
import type { AuthorizedKeys, SeenKeys } from './authorized-keys-port.ts'

export interface NewestLook {
  /** How many looks have begun. */
  begun(): number
  /** What the newest look has seen that began after so many others; null where none has come to its end. */
  after(begun: number): SeenKeys | null
}

/** The same file, and what looks at it by `see` have seen. */
export function withNewestLook(file: AuthorizedKeys): {
  readonly file: AuthorizedKeys
  readonly looks: NewestLook
} {
  let begun = 0
  let newest: { readonly number: number; readonly seen: SeenKeys } | null = null
  return {
    file: {
      ...file,
      async see(signal) {
        const number = ++begun
        const seen = await file.see(signal)
        if (newest === null || newest.number < number) newest = { number, seen }
        return seen
      },
    },
    looks: {
      begun: () => begun,
      after: (number) => (newest !== null && newest.number > number ? newest.seen : null),
    },
  }
}
