/** The shape of the map and of what a search finds, declared once. */
import { z } from 'zod'
import type { Answered } from '../../http/contract.ts'

const HIT_KINDS = ['domain', 'person', 'record', 'edge', 'release', 'request', 'setting'] as const

export const NODE_KINDS = ['entrypoint', 'domain', 'policy', 'service', 'machine'] as const

/** Who may pass: everybody, whoever has signed in, whoever is in a private network, or whoever reaches the port. */
export const POLICIES = ['public', 'sign_in', 'private', 'tcp'] as const

export const MapNode = z.object({
  id: z.string().describe('Unique: its kind and its name'),
  kind: z.enum(NODE_KINDS),
  label: z
    .string()
    .describe(`Of a policy: ${POLICIES.join(', ')}. Of a group: *.example.com, 10.0.0.0/24, others`),
  stands_for: z.int().min(1).describe('How many things; 1 unless it is a group'),
  domains: z.int().min(1),
  domain_ids: z.array(z.int()).nullable().describe('Null where they are more than 200'),
})
export type MapNode = Answered<typeof MapNode>

export const MapEdge = z.object({
  from: z.string(),
  to: z.string(),
  domains: z.int().min(1).describe('How many go this way'),
})
export type MapEdge = Answered<typeof MapEdge>

export const DeployedMap = z
  .object({
    at: z.string().describe('RFC 3339, UTC'),
    release: z.int().describe('The newest; 0 before the first'),
    domains: z.int().describe('How many it is about'),
    grouped: z.boolean().describe('Whether a node stands for several things, as there were too many'),
    nodes: z.array(MapNode).describe('Column by column, at most 200 in each'),
    edges: z.array(MapEdge),
  })
  .meta({ id: 'DeployedMap' })

export const Hit = z.object({
  kind: z.enum(HIT_KINDS),
  id: z.string().describe('By which its own endpoint knows it: id, name, number or request id'),
  title: z.string(),
  detail: z.string(),
})
export type Hit = Answered<typeof Hit>

export const SearchResult = z
  .object({
    q: z.string(),
    hits: z.array(Hit).describe('The best first; 20 at most'),
  })
  .meta({ id: 'SearchResult' })
