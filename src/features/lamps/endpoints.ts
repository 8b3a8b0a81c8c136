/** How each domain is, at a glance. */
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { acts } from '../../http/difference-views.ts'
import { instant, wholeNumber } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { type LampDeps, readDomainLamps, readLamps } from './read-lamps.ts'
import { LAMP_STATES, LAMPS, LETTERS } from './states.ts'

const tags = ['Conditions']

const LETTER_WORDS =
  'o as it should be, p waits for a deploy, m on its way, d differs, x wrong, u unknown, - not used'

const Row = z
  .tuple([
    z.int().describe('Id of the domain'),
    z.int().describe('Revision that is saved'),
    z
      .string()
      .regex(/^[opmdxu-]{5}$/)
      .describe(`A letter for each lamp, in the order of \`order\`: ${LETTER_WORDS}`),
    z.boolean().describe('Its saved state waits for a deploy'),
    z
      .partialRecord(z.enum(LAMPS), z.string())
      .describe('By lamp, the cause of what is m, d, x or u, in the words of the endpoint that tells it'),
    instant()
      .nullable()
      .describe('The oldest look that the lamps rest on; null where one was never looked at'),
  ])
  .meta({
    examples: [
      [
        7,
        3,
        'oodx-',
        false,
        { certificate: 'not_served', sign_in: 'route_open' },
        '2030-01-31T12:00:00.000Z',
      ],
    ],
  })

const Lamps = z
  .object({
    at: instant(),
    event: z.int().describe('Number of the newest event that is in it: go on from there'),
    order: z.array(z.enum(LAMPS)),
    rows: z.array(Row).describe('By name; those that are deleted and not gone yet come last'),
  })
  .meta({ id: 'Lamps' })

const lamp = {
  state: z.enum(LAMP_STATES),
  cause: z.string().nullable().describe('Null for what is as it should be or not used'),
  message: z.string(),
  seen_at: instant().nullable().describe('When it was seen; null where nobody ever looked'),
}

const DomainLamps = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    revision: z.int(),
    pending: z.boolean().describe('Its saved state waits for a deploy'),
    at: instant(),
    lamps: z.array(
      z.object({
        lamp: z.enum(LAMPS),
        letter: z.enum(Object.values(LETTERS)).describe(LETTER_WORDS),
        ...lamp,
        acts,
        parts: z
          .array(z.object({ source: z.string().describe('A key, or a part of the health page'), ...lamp }))
          .describe('What it rests on, the worst first'),
      }),
    ),
  })
  .meta({ id: 'DomainLamps' })

export const lampEndpoints = (deps: LampDeps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/domains/lamps',
    id: 'lamps',
    summary: 'How every domain is, a letter for each of its parts',
    description:
      'By what is known already, with its age: nothing is looked at for it (explain and drift do). What was never seen, ' +
      'could not be read or is too old is u, never o. route: its file and what the proxy makes of it; dns: its records and ' +
      'what name servers show; certificate: what is held and served; sign_in: its rule and the proof that it is closed; ' +
      'probe: whether the proxy answered for it the last time that it was asked.',
    level: 'keyed',
    tags,
    replies: { 200: Lamps },
    reply_headers: { ETag: 'Of the rows' },
    weak_tag: true,
    handler: async () => {
      const { table, json, etag } = await readLamps(deps)
      return { ...ok(table, { ETag: etag }), json }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/lamps',
    id: 'domainLamps',
    summary: 'How one domain is, in words',
    description:
      'The same as a row of GET /api/domains/lamps, with what each lamp rests on. Nothing is looked at for it.',
    level: 'keyed',
    tags,
    params: z.object({ domain_id: wholeNumber({ min: 1 }) }),
    replies: { 200: DomainLamps },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await readDomainLamps(deps, params.domain_id)),
  }),
]
