/**
 * What a plain scalar is to go-yaml, and what text it becomes: the decoder turns every value into text first and reads it
 * again by the type of its field.
 */

const BOOLS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['true', 'True', 'TRUE'].map((word) => [word, true])),
  ...Object.fromEntries(['false', 'False', 'FALSE'].map((word) => [word, false])),
}
const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const DATE =
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d{1,2}(?::?\d{2})?))?)?$/
/** Go's integer literals of base 0: prefixes, a leading zero for octal, underscores between digits. */
const INTEGER = /^[-+]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|0[0-7_]*|[1-9][\d_]*)$/

/** @returns the text, or null for a null. @throws for a date: it is no simple value to the decoder. */
export function plainText(source: string): string | null {
  if (NULLS.has(source)) return null
  if (source in BOOLS) return String(BOOLS[source])
  if (DATE.test(source)) throw new Error('field not supported: time.Time')
  if (INTEGER.test(source)) return wholeText(source)
  if (SPECIAL.test(source)) return source.toLowerCase().endsWith('nan') ? 'NaN' : infinity(source)
  // `%f`: six digits after the point.
  const bare = source.replaceAll('_', '')
  return FLOAT.test(bare) && /\d/.test(bare) ? Number(bare).toFixed(6) : source
}

const infinity = (source: string): string => (source.startsWith('-') ? '-Inf' : '+Inf')

function wholeText(source: string): string {
  const sign = source.startsWith('-') ? '-' : ''
  const digits = source.replace(/^[-+]/, '').replaceAll('_', '').toLowerCase()
  const literal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits
  return `${sign}${BigInt(literal)}`
}

/** `strconv.ParseBool`: no other words, `no` least of all. */
export function flagOf(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`)
}

export function wholeOf(text: string): number {
  if (!/^[-+]?\d+$/.test(text))
    throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  const value = BigInt(text)
  if (value > 0x7fff_ffff_ffff_ffffn || value < -0x8000_0000_0000_0000n)
    throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`)
  return Number(value)
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const PART = /([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g

/** In milliseconds. A bare number is seconds. */
export function durationOf(text: string): number {
  if (/^[-+]?\d+$/.test(text)) return Number(text) * 1000
  const unsigned = text.replace(/^[-+]/, '')
  if (unsigned === '' || unsigned.replaceAll(PART, '') !== '')
    throw new Error(`time: invalid duration ${JSON.stringify(text)}`)
  const ms = [...unsigned.matchAll(PART)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!,
    0,
  )
  return text.startsWith('-') ? -ms : ms
}
