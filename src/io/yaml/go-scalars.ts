/**
 * What a scalar without quotes is to go-yaml v3 (its `resolve.go`), as the text that Traefik's decoder makes of it: numbers in
 * Go's `%d` and `%f`, so `010` is 8 and `1.10` is 1.100000.
 */

export type PlainScalar =
  | { readonly kind: 'null' | 'time' }
  | { readonly kind: 'text'; readonly text: string }

const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const FLAGS: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])
const INTEGER = /^[-+]?(?:0x[\da-f]+|0b[01]+|0o?[0-7]+|0|[1-9]\d*)$/i
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const INFINITE = /^([-+]?)\.(?:inf|Inf|INF)$/
const NOT_A_NUMBER: ReadonlySet<string> = new Set(['.nan', '.NaN', '.NAN'])

export function plainScalar(source: string): PlainScalar {
  if (NULLS.has(source)) return { kind: 'null' }
  if (FLAGS.has(source)) return text(source.toLowerCase())
  if (isTime(source)) return { kind: 'time' }
  const infinite = INFINITE.exec(source)
  if (infinite !== null) return text(infinite[1] === '-' ? '-Inf' : '+Inf')
  if (NOT_A_NUMBER.has(source)) return text('NaN')
  return text(/^[-+.\d]/.test(source) ? numberText(source) : source)
}

const text = (value: string): PlainScalar => ({ kind: 'text', text: value })

/** Underscores are left out; what does not fit 64 bits is a float, and beyond that a text. */
function numberText(source: string): string {
  const bare = source.replaceAll('_', '')
  if (INTEGER.test(bare)) {
    const whole = wholeOf(bare)
    if (whole >= -(2n ** 63n) && whole < 2n ** 64n) return String(whole)
  }
  return FLOAT.test(bare) && Number.isFinite(Number(bare)) ? Number(bare).toFixed(6) : source
}

function wholeOf(bare: string): bigint {
  const digits = bare.replace(/^[-+]/, '').toLowerCase()
  const whole = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
  return bare.startsWith('-') ? -whole : whole
}

const DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})/
const CLOCK = /^[Tt ](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[-+]\d{2}:\d{2})?$/

/** `2024-01-02`, with a time behind a blank, or with a time and its zone behind a T. */
function isTime(source: string): boolean {
  const day = DAY.exec(source)
  if (day === null) return false
  const [year, month, date] = day.slice(1).map(Number) as [number, number, number]
  if (
    month < 1 ||
    month > 12 ||
    date < 1 ||
    date > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  )
    return false
  const rest = source.slice(day[0].length)
  if (rest === '') return true
  const clock = CLOCK.exec(rest)
  if (clock === null || (clock[4] !== undefined) !== (rest[0] !== ' ')) return false
  const [hour, minute, second] = clock.slice(1, 4).map(Number) as [number, number, number]
  return hour < 24 && minute < 60 && second < 60
}
