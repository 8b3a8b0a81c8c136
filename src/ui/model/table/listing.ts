/**
 * What every long list has: one filter field and an order by column, over rows in memory. Words match what a row says of
 * itself; `key:value` and `is:state` as the list names them; a leading minus negates.
 */

import { compareKeyed, keyed, type Keyed } from './text-order.ts'

export interface ListingFields<R> {
  /** What a plain word is looked for in. */
  readonly words: (row: R) => string
  /** The values that a row has for `key:`; one that begins with what is asked for is enough. */
  readonly keys?: Readonly<Record<string, (row: R) => readonly (string | null)[]>>
  readonly is?: Readonly<Record<string, (row: R) => boolean>>
}

export interface ListingTerm<R> {
  readonly text: string
  readonly matches: (row: R) => boolean
  /** What cannot be read is named, and matches nothing. */
  readonly fault: string | null
}

const TERM = /(-?)(?:([a-z]+):)?("[^"]*"?|\S+)/g

export const parseListing = <R>(text: string, fields: ListingFields<R>): readonly ListingTerm<R>[] =>
  [...text.matchAll(TERM)].map(([whole, minus, key, value]) =>
    termOf(whole, minus === '-', testOf(key, value!.replaceAll('"', '').toLowerCase(), fields)),
  )

type Test<R> = (row: R) => boolean

function termOf<R>(text: string, negated: boolean, test: Test<R> | string): ListingTerm<R> {
  if (typeof test === 'string') return { text, matches: () => false, fault: test }
  return { text, matches: negated ? (row) => !test(row) : test, fault: null }
}

/** What a row says is put together once, and not for each keystroke. */
const texts = new WeakMap<object, WeakMap<object, string>>()

function lowered<R>(words: (row: R) => string): (row: R) => string {
  const known = texts.get(words) ?? new WeakMap<object, string>()
  texts.set(words, known)
  return (row) => {
    const before = known.get(row as object)
    if (before !== undefined) return before
    const text = words(row).toLowerCase()
    known.set(row as object, text)
    return text
  }
}

function testOf<R>(key: string | undefined, wanted: string, fields: ListingFields<R>): Test<R> | string {
  const { words, keys = {}, is = {} } = fields
  const text = lowered(words)
  if (key === undefined) return (row) => text(row).includes(wanted)
  if (key === 'is') return own(is, wanted) ?? `is:${wanted} is not known: ${Object.keys(is).join(', ')}`
  const values = own(keys, key)
  if (values !== undefined)
    return (row) => values(row).some((one) => one?.toLowerCase().startsWith(wanted) ?? false)
  // An address of IPv6 or of hardware looks like a key.
  if (/^[\da-f]{1,4}$/.test(key)) return (row) => text(row).includes(`${key}:${wanted}`)
  const known = [...Object.keys(keys), ...(Object.keys(is).length > 0 ? ['is'] : [])]
  return `${key}: is not known: ${known.join(', ')}`
}

/** What every object has beside is no word of a list. */
const own = <V>(of: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined

export interface ListingView {
  readonly name: string
  readonly query: string
}

type States<S extends string> = readonly (readonly [state: S, title: string])[]

/** Each state as a view, after all of them. */
export const viewsOf = (states: States<string>): readonly ListingView[] => [
  { name: 'All', query: '' },
  ...states.map(([state, name]) => ({ name, query: `is:${state}` })),
]

/** Each state as a word of the filter. */
export const statesOf = <R, S extends string>(
  states: States<S>,
  stateOf: (row: R) => S,
): Readonly<Record<string, (row: R) => boolean>> =>
  Object.fromEntries(states.map(([state]) => [state, (row: R) => stateOf(row) === state]))

export const filteredRows = <R>(rows: readonly R[], terms: readonly ListingTerm<R>[]): readonly R[] =>
  terms.length === 0 ? rows : rows.filter((row) => terms.every((one) => one.matches(row)))

/** The text without that term. */
export const withoutListingTerm = <R>(terms: readonly ListingTerm<R>[], removed: ListingTerm<R>): string =>
  terms
    .filter((one) => one !== removed)
    .map(({ text }) => text)
    .join(' ')

export interface ListingSort {
  readonly key: string
  readonly down: boolean
}

/** `-age` is the column `age`, turned around. */
export const parseListingSort = (text: string | null, first: string): ListingSort =>
  text === null || text === ''
    ? { key: first, down: false }
    : { key: text.replace(/^-/, ''), down: text.startsWith('-') }

export type OrderValue = string | number | null

/** By that value; what has none comes last, in whichever direction. Equal ones keep their order. */
export function orderedBy<R>(
  rows: readonly R[],
  valueOf: (row: R) => OrderValue,
  down: boolean,
): readonly R[] {
  const ranked = rows.map((row) => ({ row, value: rankOf(valueOf(row)) }))
  ranked.sort((a, b) => compare(a.value, b.value, down ? -1 : 1))
  return ranked.map(({ row }) => row)
}

type Rank = number | Keyed | null

const rankOf = (value: OrderValue): Rank => (typeof value === 'string' ? keyed(value) : value)

function compare(a: Rank, b: Rank, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * compareKeyed(asKeyed(a), asKeyed(b))
}

const asKeyed = (rank: number | Keyed): Keyed => (typeof rank === 'number' ? keyed(String(rank)) : rank)
