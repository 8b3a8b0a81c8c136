/**
 * Texts as a person orders them, numbers by their value: as `Intl.Collator` does, which takes a microsecond for each of the
 * hundred thousand comparisons of a long list. A text of plain letters gets a key that is compared as it is.
 */

const NAMES = new Intl.Collator('en', { numeric: true })

const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))

/** Signs stand before numbers and letters, in the order of the collator. */
const SIGNS = new Map(
  ASCII.filter((one) => !/[a-z\d]/i.test(one))
    .toSorted(NAMES.compare)
    .map((sign, at) => [sign, String.fromCharCode(1 + at)]),
)

/** A number of more digits has no key: its length is one sign of it. */
const MAX_DIGITS = 9

const PLAIN = /^[\x20-\x7e]*$/
const SIGN = /[^a-z\d]/g
const NUMBER = /\d+/g

/** Null where only the collator can tell. Capitals count as small letters. */
export function textKey(text: string): string | null {
  if (!PLAIN.test(text)) return null
  let isShort = true
  const key = text
    .toLowerCase()
    .replace(SIGN, (sign) => SIGNS.get(sign)!)
    .replace(NUMBER, (digits) => {
      const value = digits.replace(/^0+/, '')
      if (value.length > MAX_DIGITS) isShort = false
      return `${value.length}${value}`
    })
  return isShort ? key : null
}

export interface Keyed {
  readonly text: string
  readonly key: string | null
}

export const keyed = (text: string): Keyed => ({ text, key: textKey(text) })

export function compareKeyed(a: Keyed, b: Keyed): number {
  if (a.key === null || b.key === null) return NAMES.compare(a.text, b.text)
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}
