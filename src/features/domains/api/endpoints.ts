/** The domain endpoints of the specification, reading side: list, stats, by name, one, render, drift. */
import { z } from 'zod'
import { withActs } from '../../../model/acts/acts.ts'
import { withSides } from '../../../model/sides/sides.ts'
import { actGround } from '../../../engine/act-ground.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { ENVIRONMENTS, DOMAIN_SORTS, SERVICE_TYPES, STATUSES } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'
import { readRoutesDrift } from '../read-drift.ts'
import {
  compactDomains,
  domainStats,
  identifyDomain,
  listDomains,
  type KnownCauses,
  readDomain,
  stateFilter,
} from '../read.ts'
import { renderRoutesFile } from '../render.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { DOMAIN_NAME } from '../../../model/text/form.ts'
import { DomainId, flag, wholeNumber } from '../../../http/body/scalars.ts'
import { ok } from '../../../http/ok.ts'
import { cursorOf, keyIn, nextLink } from '../../../http/pages.ts'
import { given } from '../../../http/trail-page.ts'
import {
  DomainIdentity,
  DomainRecord,
  DomainStats,
  Drift,
  RenderedConfig,
} from '../../../http/common-views.ts'

const tags = [
  {
    name: 'Domains',
    description: 'The records: one public name each, from saving to deploying to taking it away',
  },
]
const WHOLE_LIST = 10_000

const ListQuery = z.object({
  status: z.enum(STATUSES).optional(),
  q: z.string().max(253).optional().describe('Part of the name'),
  tag: z.string().min(1).max(64).optional().describe('With this tag'),
  zone: z.string().min(1).max(253).optional().describe('At or below this name'),
  service_type: z.enum(SERVICE_TYPES).optional(),
  auth_required: flag().optional(),
  pending: flag().optional().describe('Whose saved state waits for a deploy, or does not'),
  cause: z
    .string()
    .regex(/^[a-z_]{1,64}$/, 'must be a cause as lamps name it: small letters and underscores')
    .optional()
    .describe('With this cause at one of their lamps, by what is known: edited, foreign_owner, route_open …'),
  target: z.string().min(1).max(300).optional().describe('With this backend: its host, or its host and port'),
  view: z
    .enum(['compact'])
    .optional()
    .describe('compact: an array for each record, without what a table does not show; default: records'),
  sort: z.enum(DOMAIN_SORTS).optional().describe('Default domain'),
  limit: wholeNumber({ min: 1, max: WHOLE_LIST }).optional().describe('Default everything, up to 10,000'),
  cursor: z
    .string()
    .max(2048)
    .meta({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 1024 })
    .optional()
    .describe('From the Link header of the page before; of the same filters and order alone'),
})

const CompactRow = z
  .tuple([
    z.int().describe('Id'),
    z.string().describe('Domain'),
    z.enum(SERVICE_TYPES),
    z.enum(ENVIRONMENTS),
    z.string().nullable().describe('Host and port of its backend; null for none'),
    z.enum(STATUSES),
    z.int().describe('Revision'),
    z.boolean().describe('Behind single sign-on'),
    z.array(z.string()).describe('Tags'),
    z.string().describe('When it was saved, RFC 3339, UTC'),
  ])
  .meta({
    id: 'CompactDomain',
    examples: [
      [
        7,
        'app.example.com',
        'http',
        'production',
        '10.0.0.5:8080',
        'active',
        3,
        true,
        ['media'],
        '2030-01-31T12:00:00.000Z',
      ],
    ],
  })

/** In the order in which paths match: fixed words before `{domain_id}`. */
export const readingEndpoints = (deps: Deps & KnownCauses): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/domains',
    id: 'listDomains',
    summary: 'List domain records',
    description:
      'A plain array. X-Total-Count says how many match; Link names the next page. With view=compact each record is an array: ' +
      'a tenth of the size, for tables.',
    level: 'keyed',
    tags,
    query: ListQuery,
    replies: { 200: z.array(DomainRecord).or(z.array(CompactRow)) },
    reply_headers: {
      'X-Total-Count': 'Records that match, on every page',
      Link: 'rel="next"',
      ETag: 'Of this page',
    },
    weak_tag: true,
    handler: async ({ query }) => {
      const { sort = 'domain', limit = WHOLE_LIST, view, pending, cause, cursor, ...filters } = query
      const listing = { path: '/api/domains', query: { ...query, sort, view: undefined } }
      const after = cursor === undefined ? {} : { cursor: keyIn(listing, cursor) }
      const state = await stateFilter(deps, { pending, cause })
      const asked = { sort, limit, ...after, ...given(filters), ...state }
      const page = await (view === 'compact' ? compactDomains(deps, asked) : listDomains(deps, asked))
      const json = Buffer.from(JSON.stringify(page.records))
      const headers = {
        'X-Total-Count': String(page.total),
        ...nextLink({ ...listing, query }, page.next === null ? null : cursorOf(listing, page.next)),
        ETag: `"${sha256([json]).slice(0, 32)}"`,
      }
      return { ...ok(page.records, headers), json }
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
    replies: { 200: RenderedConfig },
    handler: async () => ok(await renderRoutesFile(deps)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/drift',
    id: 'domainDrift',
    summary: 'Compare the routes file with a fresh rendering of the database',
    description:
      'Reads the file now. What was saved and not deployed is drift, too, and is listed as pending.',
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
