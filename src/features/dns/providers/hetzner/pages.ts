/** Reads a list of Hetzner's page by page, and takes it only when all of it came. */
import type { z } from 'zod'
import { type JsonApi, unusable } from '../json-api.ts'
import { pageOf, type Refusal } from './wire.ts'
import { TRAITS } from './traits.ts'

const MOST_PAGES = 2000

export interface ListCall<T> {
  readonly path: string
  /** Only what fits these, where there are any. */
  readonly filter?: readonly (readonly [name: string, value: string])[]
  /** Under which name the entries of a page stand. */
  readonly member: string
  readonly item: z.ZodType<T>
  readonly what: string
  readonly signal: AbortSignal
}

/** Throws `component_unavailable` for a page that is not the asked one, not full, or counts another total than the first. */
export async function readPages<T>(
  api: JsonApi<Refusal>,
  { path, filter = [], member, item, what, signal }: ListCall<T>,
): Promise<T[]> {
  const broken = (why: string) => unusable(api.provider, what, why)
  const answer = pageOf(member, item)
  const items: T[] = []
  let total: number | null | undefined
  for (let page = 1; page <= MOST_PAGES; page++) {
    const asked = [...filter, ['page', `${page}`], ['per_page', `${TRAITS.page_most}`]] as [string, string][]
    const query = new URLSearchParams(asked).toString()
    const { body } = await api.ask({ method: 'GET', path: `${path}?${query}`, answer, what, signal })
    const { entries } = body
    const info = body.meta.pagination
    if (total === undefined) total = info.total_entries
    if (info.page !== page) throw broken(`asked for page ${page} and got page ${info.page}`)
    if (info.total_entries !== total) throw broken('the list changed while it was read')
    items.push(...entries)
    if (info.next_page === null) {
      if (total !== null && items.length !== total)
        throw broken(`${total} entries were announced and ${items.length} came`)
      return items
    }
    if (info.next_page !== page + 1) throw broken(`page ${info.next_page} is said to follow page ${page}`)
    if (entries.length !== info.per_page) throw broken(`page ${page} is not full and yet not the last`)
  }
  throw broken(`the list has more than ${MOST_PAGES} pages`)
}
