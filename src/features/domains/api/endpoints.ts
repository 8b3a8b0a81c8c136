/** The domain endpoints of the specification, reading side: list, stats, by name, one, render, drift. */
import { z } from 'zod'
import { withActs } from '../../../model/acts/acts.ts'
import { withSides } from '../../../model/sides/sides.ts'
import { actGround } from '../../../engine/act-ground.ts'
import { DOMAIN_SORTS, STATUSES } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'
import { readRoutesDrift } from '../read-drift.ts'
import { domainStats, identifyDomain, listDomains, readDomain } from '../read.ts'
import { renderRoutesFile } from '../render.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { DOMAIN_NAME } from '../../../model/text/form.ts'
import { wholeNumber } from '../../../http/body/scalars.ts'
import { ok } from '../../../http/ok.ts'
import { DomainIdentity, DomainRecord, DomainStats, Drift, Rendered } from '../../../http/common-views.ts'

const tags = [
  {
    name: 'Domains',
    description: 'The records: one public name each, from saving to deploying to taking it away',
  },
]
const WHOLE_LIST = 10_000

/** The path parameter of everything that concerns one record. */
export const DomainId = z.object({ domain_id: wholeNumber({ min: 1 }) })

const ListQuery = z.object({
  status: z.enum(STATUSES).optional(),
  q: z.string().max(253).optional().describe('Part of the name'),
  sort: z.enum(DOMAIN_SORTS).optional().describe('Default domain'),
  limit: wholeNumber({ min: 1, max: WHOLE_LIST }).optional().describe('Default everything, up to 10,000'),
  cursor: z
    .string()
    .max(2048)
    .meta({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1024 })
    .optional()
    .describe('From the Link header of the page before'),
})

/** In the order in which paths match: fixed words before `{domain_id}`. */
export const readingEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/domains',
    id: 'listDomains',
    summary: 'List domain records',
    description: 'A plain array. X-Total-Count says how many match; Link names the next page.',
    level: 'keyed',
    tags,
    query: ListQuery,
    replies: { 200: z.array(DomainRecord) },
    reply_headers: { 'X-Total-Count': 'Records that match, on every page', Link: 'rel="next"' },
    handler: async ({ query }) => {
      const { sort = 'domain', limit = WHOLE_LIST, status, q, cursor } = query
      const page = await listDomains(deps, {
        sort,
        limit,
        ...(status === undefined ? {} : { status }),
        ...(q === undefined ? {} : { q }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      return ok(page.records, { 'X-Total-Count': String(page.total), ...nextLink(query, page.next) })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/stats',
    id: 'domainStats',
    summary: 'Counts of domains by status and other marks',
    description: 'Of the records as they are saved, not as they are deployed.',
    level: 'keyed',
    tags,
    replies: { 200: DomainStats },
    handler: async () => ok(await domainStats(deps)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/by-name/{domain_name}',
    id: 'domainByName',
    summary: 'Identity of a domain by its name',
    description: 'Takes the name in any spelling: in capitals, in Unicode, with a dot at its end.',
    level: 'keyed',
    tags,
    params: z.object({
      domain_name: z
        .string()
        .min(1)
        .max(1024)
        .meta({ ...DOMAIN_NAME }),
    }),
    replies: { 200: DomainIdentity },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await identifyDomain(deps, params.domain_name)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/domains/render',
    reads: true,
    id: 'renderDomains',
    summary: 'Render the routes file without writing it',
    description: 'The bytes that a deploy would write now, with their checksum. Changes nothing.',
    level: 'keyed',
    tags,
    replies: { 200: Rendered },
    handler: async () => ok(await renderRoutesFile(deps)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/drift',
    id: 'domainDrift',
    summary: 'Compare the routes file with a fresh rendering of the database',
    description:
      'Reads the file now. What was saved and not deployed is listed as pending and is no drift of the file.',
    level: 'keyed',
    tags,
    replies: { 200: Drift },
    handler: async ({ signal }) => {
      const { sidesOf, differences, ...drift } = await readRoutesDrift(deps, signal)
      const acts = withActs(await actGround(deps), 'routes', differences)
      return ok({ ...drift, differences: withSides(acts, sidesOf) })
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}',
    id: 'getDomain',
    summary: 'One domain record',
    description: 'As it is saved. What is deployed of it tells GET /api/domains/{domain_id}/explain.',
    level: 'keyed',
    tags,
    params: DomainId,
    replies: { 200: DomainRecord },
    reply_headers: { ETag: 'The revision, for If-Match' },
    problems: ['not_found'],
    handler: async ({ params }) => {
      const record = await readDomain(deps, params.domain_id)
      return ok(record, { ETag: entityTag(record) })
    },
  }),
]

/** The status `error` changes the record's body without its revision. */
const entityTag = ({ revision, status }: { revision: number; status: string }): string =>
  status === 'error' ? `"${revision}-error"` : `"${revision}"`

function nextLink(query: z.output<typeof ListQuery>, next: string | null): Record<string, string> {
  if (next === null) return {}
  const { cursor: _, ...kept } = query
  const words = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)])
  const page = new URLSearchParams([...words, ['cursor', next]]).toString()
  return { Link: `</api/domains?${page}>; rel="next"` }
}
