/**
 * A list of Traefik's, page by page, whole or not at all.
 *
 * `X-Next-Page` names the page that follows, and 1 where none does. A page past the end is a 400, so nothing is guessed.
 * A list that moves while it is read can show an object twice or not at all: twice is seen here, the rest by whoever
 * compares the overview before and after.
 */
import { z } from 'zod'
import { type Api, ask, unusable } from './ask.ts'

/** The proxy knows no limit of its own; its default of 100 would be 300 questions for 10,000 domains. */
const PER_PAGE = 1000
/** Ten times what anybody has; a list without an end must not fill the memory. */
const MAX_PAGES = 100
/** Of all pages together: three times what 20,000 services take. */
const MAX_CHARACTERS = 64 * 1024 * 1024

export interface ListCall<T> {
  /** `/api/http/routers` */
  readonly path: string
  /** From the proxy's words to ours, page by page: a whole list of its words is never held. */
  readonly item: z.ZodType<T>
  /** Only names that hold this text. */
  readonly search?: string
  /** Only objects in this state, in the proxy's own word. */
  readonly status?: string
  readonly signal: AbortSignal
  readonly insists?: boolean
}

export async function readList<T extends { readonly name: string }>(
  api: Api,
  { path, item, search, status, signal, insists = false }: ListCall<T>,
): Promise<readonly T[]> {
  const items: T[] = []
  const names = new Set<string>()
  let characters = 0
  const answer = z.array(item)
  for (let page = 1; page <= MAX_PAGES;) {
    const query = new URLSearchParams({ page: String(page), per_page: String(PER_PAGE) })
    if (search !== undefined) query.set('search', search)
    if (status !== undefined) query.set('status', status)
    const { body, headers, length } = await ask(api, {
      path: `${path}?${query.toString()}`,
      answer,
      signal,
      insists,
    })
    if (body.length > PER_PAGE)
      throw unusable(api, path, `showed ${body.length} entries on a page that was asked for ${PER_PAGE}`)
    characters += length
    if (characters > MAX_CHARACTERS) throw unusable(api, path, `has more than ${MAX_CHARACTERS} characters`)
    for (const one of body) {
      items.push(one)
      names.add(one.name)
    }
    if (names.size < items.length)
      throw unusable(api, path, 'showed an object twice: its list moved while it was read')
    const next = Number(headers['x-next-page'])
    if (!Number.isInteger(next) || next < 1)
      throw unusable(api, path, 'answered without saying whether that was all (X-Next-Page)')
    if (next <= page) return items
    if (next !== page + 1 || body.length === 0)
      throw unusable(api, path, `said that page ${next} follows page ${page} with ${body.length} entries`)
    page = next
  }
  throw unusable(api, path, `has more than ${MAX_PAGES} pages`)
}
