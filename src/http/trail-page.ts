/** Trails that only grow: paging through them, newest first and on to what is older, and an entry of the audit trail. */
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

/** In the trail itself, and in the overview. */
export const AuditEntry = z
  .object({
    id: z.int(),
    at: z.string().describe('RFC 3339, UTC'),
    actor: z.string(),
    request_id: z.string().describe('The X-Request-Id of the answer'),
    caller_request_id: z
      .string()
      .nullable()
      .describe('The X-Request-Id of the request, where it had one: what the caller or a proxy calls it'),
    action: z.string(),
    domain_id: z.int().nullable(),
    domain: z.string().nullable().describe('The name that the record had then'),
    revision_before: z.int().nullable(),
    revision_after: z.int().nullable(),
    plan_hash: z.string().nullable().describe('The plan that was applied, confirmed or refused'),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' })
