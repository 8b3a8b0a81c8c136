/**
 * The filter language of the table: words match name, target and note; `tag:` `zone:` `kind:` `is:` `not:` `target:` `cert:`;
 * a leading minus negates. The text is the address, so it reads as it was typed.
 */
import { type Lamp, LAMPS } from './lamps.ts'

/** What a row is filtered and sorted by. */
export interface FilterRow {
  readonly id: number
  readonly domain: string
  /** As people read it. */
  readonly domain_unicode: string
  readonly target: string
  readonly kind: string
  readonly status: string
  readonly environment: string
  readonly tags: readonly string[]
  readonly note: string
  readonly open: boolean
  readonly pending: boolean
  readonly updated_at: number
  readonly lamps: readonly Lamp[]
  /** Days until the certificate ends; null where that is not known. */
  readonly certificate_days: number | null
}

export interface Term {
  readonly text: string
  readonly matches: (row: FilterRow) => boolean
  /** What cannot be read is named, and matches nothing. */
  readonly fault: string | null
}

const TERM = /(-?)(?:([a-z]+):)?("[^"]*"|\S+)/gy

export function parseFilter(text: string): readonly Term[] {
  const terms: Term[] = []
  TERM.lastIndex = 0
  let rest = text.replace(/^\s+/, '')
  while (rest !== '') {
    TERM.lastIndex = 0
    const found = TERM.exec(rest)
    if (found === null) break
    terms.push(term(found[0], found[1] === '-', found[2], found[3]!.replaceAll('"', '')))
    rest = rest.slice(found[0].length).replace(/^\s+/, '')
  }
  return terms
}

type Test = (row: FilterRow) => boolean

function term(text: string, negated: boolean, key: string | undefined, value: string): Term {
  const test = testOf(key, value)
  if (typeof test === 'string') return { text, matches: () => false, fault: test }
  return { text, matches: negated ? (row) => !test(row) : test, fault: null }
}

/** What words are looked for in is put together once, and not for each keystroke. */
const words = new WeakMap<FilterRow, string>()

function wordsOf(row: FilterRow): string {
  const known = words.get(row)
  if (known !== undefined) return known
  // Nobody types the sign between them.
  const text = `${row.domain}\n${row.domain_unicode}\n${row.target}\n${row.note}`.toLowerCase()
  words.set(row, text)
  return text
}

/** A test, or what cannot be read of it. */
function testOf(key: string | undefined, value: string): Test | string {
  const wanted = value.toLowerCase()
  switch (key) {
    case undefined:
      return (row) => wordsOf(row).includes(wanted)
    case 'tag':
      return (row) => row.tags.includes(wanted)
    case 'zone':
      return (row) =>
        [row.domain, row.domain_unicode].some((name) => name === wanted || name.endsWith(`.${wanted}`))
    case 'kind':
      return (row) => row.kind === wanted
    case 'env':
      return (row) => row.environment.startsWith(wanted)
    case 'is':
      return IS.get(wanted) ?? `is:${value} is not known: ${[...IS.keys()].join(', ')}`
    case 'not': {
      const test = IS.get(wanted)
      return test === undefined
        ? `not:${value} is not known: ${[...IS.keys()].join(', ')}`
        : (row) => !test(row)
    }
    case 'target':
      return targetTest(wanted)
    case 'cert':
      return certificateTest(wanted)
    default:
      return `${key}: is not known: tag, zone, kind, env, is, not, target, cert`
  }
}

const has =
  (...lamps: readonly Lamp[]): Test =>
  (row) =>
    row.lamps.some((lamp) => lamps.includes(lamp))

const IS = new Map<string, Test>([
  ['drift', has('drift')],
  ['pending', (row) => row.pending],
  ['wrong', has('bad')],
  ['unknown', has('unknown')],
  ['moving', has('moving')],
  ['trouble', has('drift', 'bad', 'unknown')],
  ['open', (row) => row.open],
  ['protected', (row) => !row.open],
  ['active', (row) => row.status === 'active'],
  ['inactive', (row) => row.status === 'inactive'],
  ['disabled', (row) => row.status === 'disabled'],
])

export const IS_WORDS: readonly string[] = [...IS.keys()]

function targetTest(wanted: string): Test {
  const range = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(wanted)
  if (range === null) return (row) => row.target.toLowerCase().includes(wanted)
  const bits = Number(range[5])
  const net = addressOf(range.slice(1, 5))
  return (row) => {
    const own = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?::|$)/.exec(row.target)
    return own !== null && bits <= 32 && isWithin(addressOf(own.slice(1, 5)), net, bits)
  }
}

const addressOf = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum * 256 + Number(part), 0)

const isWithin = (address: number, net: number, bits: number): boolean => {
  const size = 2 ** (32 - bits)
  return Math.floor(address / size) === Math.floor(net / size)
}

const CERTIFICATE_AT = LAMPS.indexOf('certificate')

function certificateTest(wanted: string): Test | string {
  if (wanted === 'unknown') return ({ lamps }) => lamps[CERTIFICATE_AT] === 'unknown'
  const found = /^([<>])(\d+)d?$/.exec(wanted)
  if (found === null) return `cert:${wanted} cannot be read: cert:<14d, cert:>30d or cert:unknown`
  const days = Number(found[2])
  const below = found[1] === '<'
  return ({ certificate_days: left }) => left !== null && (below ? left < days : left > days)
}

export const filtered = <R extends FilterRow>(rows: readonly R[], terms: readonly Term[]): readonly R[] =>
  terms.length === 0 ? rows : rows.filter((row) => terms.every((one) => one.matches(row)))

/** The text without that term. */
export const withoutTerm = (text: string, removed: Term): string =>
  parseFilter(text)
    .filter((one) => one.text !== removed.text)
    .map((one) => one.text)
    .join(' ')
