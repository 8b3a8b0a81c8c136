/** Reads a list of deSEC's by following its cursor, which is never let lead anywhere else. */
import { z } from 'zod'
import { type JsonApi, unusable } from '../json-api.ts'
import type { Refusal } from './wire.ts'

/** Entries on a page; only the last one has fewer. */
export const PAGE = 500
const MAX_PAGES = 1000

export interface ListCall<T> {
  readonly path: string
  /** Only what fits it, as `type=A`; left out for all. The server keeps it in its cursors. */
  readonly filter?: string
  readonly item: z.ZodType<T>
  readonly what: string
  readonly signal: AbortSignal
}

/** Throws `component_unavailable` for a page that is short and not the last, and for a cursor that goes astray. */
export async function readPages<T>(
  api: JsonApi<Refusal>,
  { path, filter = '', item, what, signal }: ListCall<T>,
): Promise<T[]> {
  const broken = (why: string) => unusable(api.provider, what, why)
  const answer = z.array(item)
  const items: T[] = []
  const been = new Set<string>()
  let query: string | null = filter === '' ? '?cursor=' : `?${filter}&cursor=`
  while (query !== null) {
    if (been.has(query) || been.size === MAX_PAGES) throw broken('the cursor goes in circles')
    been.add(query)
    const { body, reply } = await api.ask({ method: 'GET', path: `${path}${query}`, answer, what, signal })
    items.push(...body)
    query = nextQuery(reply.headers['link'] ?? '', `${api.base}${path}`)
    if (query === 'astray') throw broken('the next page is said to be somewhere else')
    if (query !== null && body.length !== PAGE) throw broken('a page is not full and yet not the last')
  }
  return items
}

/** The query of the next page; null on the last one. Another origin or path would be handed our token: `astray`. */
export function nextQuery(link: string, here: string): string | null {
  const target = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(link)?.[1]
  if (target === undefined) return null
  const [next, now] = [URL.parse(target, here), new URL(here)]
  if (next === null || next.origin !== now.origin || next.pathname !== now.pathname || next.username !== '')
    return 'astray'
  return next.searchParams.has('cursor') ? next.search : 'astray'
}
