/**
 * User names of the SSO provider. They end up as keys of a YAML file, in headers and in logs, so the grammar is strict:
 * nothing that some reader of YAML takes for something else, nothing that differs from another name by case alone.
 */
import { accept, type Parsed, refuse } from '../../model/text/result.ts'
import type { TextForm } from '../../model/text/form.ts'

/** As it may stand in the users file, whoever put it there. */
export const ANY_USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

const MOST = 32
const USERNAME = /^[a-z][a-z0-9._-]{0,31}$/
/** Some readers take `e3` for a number that lacks its digits. */
const EXPONENT = /^e\d+$/

/** Words of YAML and of programming languages, and names that look as if they had a power of their own. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'y n yes no on off true false null nan inf nil none undefined',
    'proto constructor prototype tostring valueof hasownproperty',
    'admin administrator root system authelia plumbline anonymous guest everyone',
    'user group users groups nobody api-key reconciler postmaster abuse',
  ].flatMap((words) => words.split(' ')),
)

/** A name as it may be invited: lower case, a letter first, at most 32 characters, no reserved word. */
export function parseUsername(text: string): Parsed<string> {
  if (!USERNAME.test(text))
    return refuse('username', `must be a lower-case letter and up to ${MOST - 1} of a-z, 0-9, ".", "_", "-"`)
  return RESERVED.has(text) || EXPONENT.test(text)
    ? refuse('username', `"${text}" is a reserved name`)
    : accept(text)
}

const MAX_SUGGESTION = 256
// Combining marks that the decomposition leaves beside their letters.
const MARKS = /\p{M}+/gu
const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/ß/g, 'ss'],
  [/æ/g, 'ae'],
  [/œ/g, 'oe'],
  [/ø/g, 'o'],
  [/đ/g, 'd'],
  [/ł/g, 'l'],
  [/þ/g, 'th'],
]

/**
 * The nearest name to what was suggested: "José Müller" becomes `jose.muller`. Refused where nothing usable is left, or
 * where what is left is reserved: an invitation must not come out as somebody else's name. Linear in the length.
 */
export function usernameFrom(suggestion: string): Parsed<string> {
  if (suggestion.length > MAX_SUGGESTION)
    return refuse('username', `must be at most ${MAX_SUGGESTION} characters`)
  let text = suggestion.normalize('NFKD').replace(MARKS, '').toLowerCase()
  for (const [letter, plain] of LETTERS) text = text.replace(letter, plain)
  const words = text.split(/[^a-z0-9_-]+/).filter((word) => word !== '')
  const name = words
    .join('.')
    .replace(/^[^a-z]+/, '')
    .slice(0, MOST)
    .replace(/[._-]+$/, '')
  if (name === '') return refuse('username', 'must hold at least one letter from a to z')
  return parseUsername(name)
}

/** The name itself, or the first of `name2`, `name3` … that nobody has. @param taken in lower case */
export function uniqueUsername(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  // A digit right behind a lone `e` would make an exponent.
  const stem = name === 'e' ? 'e_' : name
  for (let number = 2; ; number++) {
    const numbered = `${stem.slice(0, MOST - String(number).length)}${number}`
    if (!taken.has(numbered)) return numbered
  }
}

const anyCase = (word: string): string =>
  word
    .split('')
    .map((one) => `[${one.toUpperCase()}${one}]`)
    .join('')

/** A suggestion of which something usable is left: it holds a letter, and is more than a reserved word. */
export const SUGGESTION_FORM: TextForm = {
  pattern: '[A-Za-z]',
  minLength: 1,
  maxLength: MAX_SUGGESTION,
  not: {
    pattern: `^[^A-Za-z]*(?:${[...RESERVED].map((word) => (/^[a-z]+$/.test(word) ? anyCase(word) : word)).join('|')}|[Ee][0-9]+)[^A-Za-z0-9]*$`,
  },
}
