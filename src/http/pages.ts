/**
 * Parts of a whole list, for a table or for one domain. Where none of `domain`, `limit` and `cursor` is given the answer is
 * the whole list, in its own order; a page is in the order of its keys, so that it goes on where the last one ended, whatever
 * came or went meanwhile.
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
    .describe('From the Link header of the page before'),
}

export const PAGE_HEADERS = {
  'X-Total-Count': 'How many there are, on every page',
  Link: 'rel="next"',
  ETag: 'Of this answer',
}

export interface PageAsked {
  readonly domain?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface PageOf<T> {
  readonly items: readonly T[]
  readonly total: number
  /** Null on the last page. */
  readonly next: string | null
}

/** Throws `validation_failed` for a cursor that was not made here. @param keyOf unique, and sorted by */
export function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { limit, cursor }: PageAsked,
): PageOf<T> {
  const total = all.length
  if (limit === undefined && cursor === undefined) return { items: all, total, next: null }
  const sorted = all
    .map((item) => [keyOf(item), item] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const after = cursor === undefined ? null : keyIn(cursor)
  const rest = after === null ? sorted : sorted.filter(([key]) => key > after)
  const page = rest.slice(0, limit ?? rest.length)
  const last = page.at(-1)
  const next = last === undefined || page.length === rest.length ? null : textOf(last[0])
  return { items: page.map(([, item]) => item), total, next }
}

/** Whether it belongs to the domain that is asked for; everything does where none is. */
export const isOf = (domain: string | undefined, names: readonly (string | null | undefined)[]): boolean =>
  domain === undefined || names.includes(domain)

/** @param tagged what the tag is made of: the answer, without what grows older by itself */
export function pageHeaders(
  path: string,
  query: Readonly<Record<string, unknown>>,
  { page, tagged }: { readonly page: PageOf<unknown>; readonly tagged: unknown },
): Readonly<Record<string, string>> {
  const etag = `"${sha256([Buffer.from(JSON.stringify(tagged))]).slice(0, 32)}"`
  return { 'X-Total-Count': String(page.total), ...nextLink(path, query, page.next), ETag: etag }
}

/** The same question about the next page; nothing on the last one. */
function nextLink(
  path: string,
  query: Readonly<Record<string, unknown>>,
  next: string | null,
): Readonly<Record<string, string>> {
  if (next === null) return {}
  const words = Object.entries({ ...query, cursor: next }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { Link: `<${path}?${new URLSearchParams(words).toString()}>; rel="next"` }
}

const textOf = (key: string): string => Buffer.from(JSON.stringify([key])).toString('base64url')

function keyIn(cursor: string): string {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && typeof parts[0] === 'string' && textOf(parts[0]) === cursor) return parts[0]
  } catch {
    // No JSON, so none of ours.
  }
  throw invalid([fieldError(['query', 'cursor'], 'must be the cursor of a previous page', 'cursor')])
}
