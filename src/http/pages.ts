/**
 * Parts of a whole list, for a table or for one domain. Where none of `domain`, `limit` and `cursor` is given the answer is
 * the whole list, in its own order; a page is in the order of its keys, so that it goes on where the last one ended, whatever
 * came or went meanwhile. A cursor belongs to the list that made it: the path with its filters, and the order.
 */
import { z } from 'zod'
import { fieldError, invalid } from '../kernel/failure.ts'
import { sha256 } from '../kernel/digest.ts'
import { wholeNumber } from './body/scalars.ts'

const MAX_PER_PAGE = 10_000

export const PAGE_QUERY = {
  domain: z
    .string()
    .min(1)
    .max(255)
    .overwrite((text) => text.toLowerCase().replace(/\.$/, ''))
    .optional()
    .describe('Only what belongs to this domain'),
  limit: wholeNumber({ min: 1, max: MAX_PER_PAGE }).optional().describe('Default everything'),
  cursor: z
    .string()
    .max(2048)
    .meta({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1024 })
    .optional()
    .describe('From the Link header of the page before; of this list with these filters alone'),
}

export const PAGE_HEADERS = {
  'X-Total-Count': 'How many there are, on every page',
  Link: 'rel="next"',
  ETag: 'Of this answer',
}

/** What is asked for of a list: everything of `query` but `limit` and `cursor` says which list it is. */
export interface PageAsked {
  readonly path: string
  readonly query: Readonly<Record<string, unknown>> & {
    readonly limit?: number | undefined
    readonly cursor?: string | undefined
  }
}

export interface PageOf<T> {
  readonly items: readonly T[]
  readonly total: number
  /** Null on the last page. */
  readonly next: string | null
}

/** Throws `validation_failed` for a cursor that this list did not make. @param keyOf unique, and sorted by */
export function pageOf<T>(all: readonly T[], keyOf: (item: T) => string, asked: PageAsked): PageOf<T> {
  const { limit, cursor } = asked.query
  const total = all.length
  if (limit === undefined && cursor === undefined) return { items: all, total, next: null }
  const sorted = all
    .map((item) => [keyOf(item), item] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const after = cursor === undefined ? null : keyIn(asked, cursor)
  const rest = after === null ? sorted : sorted.filter(([key]) => key > after)
  const page = rest.slice(0, limit ?? rest.length)
  const last = page.at(-1)
  const next = last === undefined || page.length === rest.length ? null : cursorOf(asked, last[0])
  return { items: page.map(([, item]) => item), total, next }
}

/** Whether it belongs to the domain that is asked for; everything does where none is. */
export const isOf = (domain: string | undefined, names: readonly (string | null | undefined)[]): boolean =>
  domain === undefined || names.includes(domain)

/** @param tagged what the tag is made of: the answer, without what grows older by itself */
export function pageHeaders(
  { path, query }: PageAsked,
  { page, tagged }: { readonly page: PageOf<unknown>; readonly tagged: unknown },
): Readonly<Record<string, string>> {
  const etag = `"${sha256([Buffer.from(JSON.stringify(tagged))]).slice(0, 32)}"`
  return { 'X-Total-Count': String(page.total), ...nextLink({ path, query }, page.next), ETag: etag }
}

/** The same question about the next page; nothing on the last one. */
export function nextLink({ path, query }: PageAsked, next: string | null): Readonly<Record<string, string>> {
  if (next === null) return {}
  const words = Object.entries({ ...query, cursor: next }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { Link: `<${path}?${new URLSearchParams(words).toString()}>; rel="next"` }
}

/** Where a page of a list ended. @param key of its last item */
export const cursorOf = (asked: PageAsked, key: string): string =>
  Buffer.from(JSON.stringify([markOf(asked, key), key])).toString('base64url')

/** Throws `validation_failed` for a cursor that this list did not make. */
export function keyIn(asked: PageAsked, cursor: string): string {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const key: unknown = Array.isArray(parts) ? parts[1] : null
    if (typeof key === 'string' && cursorOf(asked, key) === cursor) return key
  } catch {
    // No JSON, so none of ours.
  }
  throw invalid([
    fieldError(['query', 'cursor'], 'must be the cursor of a previous page of the same list', 'cursor'),
  ])
}

const MARK_LENGTH = 16

/** Ties a key to its list. It keeps out mistakes and no attacker: whoever may read the list may read it from anywhere. */
function markOf({ path, query }: PageAsked, key: string): string {
  const { limit: _, cursor: __, ...filters } = query
  const asked = Object.entries(filters).filter(([, value]) => value !== undefined)
  const listing = JSON.stringify([path, asked.toSorted(([a], [b]) => (a < b ? -1 : 1)), key])
  return sha256([Buffer.from(listing)]).slice(0, MARK_LENGTH)
}
