/** Reads a list of Cloudflare's page by page, and takes it only when all of it came. */
import type { z } from 'zod'
import { type JsonApi, unusable } from '../json-api.ts'
import { pageOf, type Refusal } from './wire.ts'

// More pages than any zone has: a server that counts without end is left.
const MOST_PAGES = 2000

export interface ListCall<T> {
  /** With its query, `page` left out. */
  readonly path: string
  readonly item: z.ZodType<T>
  readonly what: string
  readonly signal: AbortSignal
}

/** Throws `component_unavailable` for a page that is not the asked one, not full, or counts another total than the first. */
export async function readPages<T extends { readonly id: string }>(
  api: JsonApi<Refusal>,
  { path, item, what, signal }: ListCall<T>,
): Promise<T[]> {
  const broken = (why: string) => unusable(api.provider, what, why)
  const items = new Map<string, T>()
  let total: number | null = null
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { body } = await api.ask({
      method: 'GET',
      path: `${path}&page=${page}`,
      answer: pageOf(item),
      what,
      signal,
    })
    const info = body.result_info
    total ??= info.total_count
    if (info.page !== page) throw broken(`asked for page ${page} and got page ${info.page}`)
    if (info.total_count !== total) throw broken('the list changed while it was read')
    if (info.count !== body.result.length)
      throw broken(`page ${page} says that it has ${info.count} entries and has ${body.result.length}`)
    for (const one of body.result) {
      if (items.has(one.id)) throw broken(`an entry came twice, on page ${page} for the second time`)
      items.set(one.id, one)
    }
    if (items.size > total) throw broken(`${total} entries were announced and more came`)
    if (items.size === total) return [...items.values()]
    if (body.result.length < info.per_page)
      throw broken(`${total} entries were announced and the list ended after ${items.size}`)
  }
  throw broken(`the list has more than ${MOST_PAGES} pages`)
}
