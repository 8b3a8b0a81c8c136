/** Paging through trails that only grow: newest first, and on to what is older. */
import { z } from 'zod'
import { wholeNumber } from './body/scalars.ts'

const MAX_PER_PAGE = 500
export const USUAL_PAGE = 50

export const TrailQuery = z.object({
  limit: wholeNumber({ min: 1, max: MAX_PER_PAGE }).optional().describe(`Default ${USUAL_PAGE}`),
  before: wholeNumber({ min: 1 }).optional().describe('Only what is older than this number'),
})

export const LINK = { Link: 'rel="next": what is older' }

type Given<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** Without what was not asked for. */
export const given = <T extends object>(query: T): Given<T> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Given<T>

type Words = Readonly<Record<string, string | number | undefined>>

/** The same question about what is older than `next`; nothing on the last page. */
export function olderLink(path: string, query: Words, next: number | null): Record<string, string> {
  if (next === null) return {}
  const kept = Object.entries({ ...query, before: next }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { Link: `<${path}?${new URLSearchParams(kept).toString()}>; rel="next"` }
}
