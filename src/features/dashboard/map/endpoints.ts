/** What leads where. */
import { z } from 'zod'
import { sha256 } from '../../../kernel/digest.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import type { Deps } from '../deps.ts'
import { NODE_KINDS, POLICIES } from './map-of.ts'
import { readMap } from './read-map.ts'

const name = () =>
  z
    .string()
    .min(1)
    .max(255)
    .overwrite((text) => text.toLowerCase().replace(/\.$/, ''))

const DeployedMap = z
  .object({
    at: z.string().describe('RFC 3339, UTC'),
    release: z.int().describe('The newest; 0 before the first'),
    domains: z.int().describe('How many it is about'),
    grouped: z.boolean().describe('Whether a node stands for several things, as there were too many'),
    nodes: z
      .array(
        z.object({
          id: z.string().describe('Unique: its kind and its name'),
          kind: z.enum(NODE_KINDS),
          label: z
            .string()
            .describe(`Of a policy: ${POLICIES.join(', ')}. Of a group: *.example.com, 10.0.0.0/24, others`),
          stands_for: z.int().min(1).describe('How many things; 1 unless it is a group'),
          domains: z.int().min(1),
          domain_ids: z.array(z.int()).nullable().describe('Null where they are more than 200'),
        }),
      )
      .describe('Column by column, at most 200 in each'),
    edges: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        domains: z.int().min(1).describe('How many go this way'),
      }),
    ),
  })
  .meta({ id: 'DeployedMap' })

export const mapEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/map',
    id: 'map',
    summary: 'What leads where: entry point, domain, policy, service, machine',
    description:
      'Of what is deployed, in five columns. Above 200 in a column what belongs together is one node with its count; zone and ' +
      'machine show a part of it. Nothing is looked at for it.',
    level: 'keyed',
    tags: ['System'],
    query: z.object({
      zone: name().optional().describe('Only domains at or below this name'),
      machine: name().optional().describe('Only domains with this backend host'),
    }),
    replies: { 200: DeployedMap },
    reply_headers: { ETag: 'Of nodes and edges' },
    weak_tag: true,
    handler: async ({ query }) => {
      const map = await readMap(deps, query)
      const etag = sha256([Buffer.from(JSON.stringify({ ...map, at: null }))]).slice(0, 32)
      return ok(map, { ETag: `"${etag}"` })
    },
  }),
]
