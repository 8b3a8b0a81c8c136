/** Edges: public ingress nodes that are fed with the released routes. Their owner's side, and their own. */
import { z } from 'zod'
import { EDGE_STATES, type EdgeFields, edgeFaults } from '../../model/edge.ts'
import { serveRoutes, takeHeartbeat } from './call.ts'
import { authenticateEdge } from './authenticate.ts'
import { createEdge, removeEdge, revokeEdgeTokens, rotateEdgeToken, updateEdge } from './change.ts'
import type { Edges } from './edges.ts'
import { listEdges, readEdge } from './read.ts'
import { faultsBeside } from '../../http/beside.ts'
import { endpoint, type Endpoint, type Proving } from '../../http/contract.ts'
import { wholeNumber } from '../../http/body/scalars.ts'
import { callerOf, Changing, IF_MATCH } from '../../http/access/caller-of.ts'
import { EdgeCreate, EdgeIssued, EdgeRemoved, EdgeSaved, EdgeUpdate, EdgeView, Heartbeat } from './views.ts'
import { created, ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'

const tags = [{ name: 'Edges', description: 'Public ingress nodes that fetch the released routes' }]
const ALL = '/api/ccm/edge/edges'
const EdgeId = z.object({ edge_id: wholeNumber({ min: 1 }) })
const one = { level: 'keyed', tags, params: EdgeId } as const

const STAND_IN: EdgeFields = { name: 'edge', hostname: null, address: null, region: null }

const ROUTES = `The released routes as JSON in the form of Traefik's HTTP provider: the same configuration as the routes file.
Every fetch with the edge's token counts as a sign of life. Without a release or without the database the answer is 503 and
never an empty configuration, because a proxy replaces all its routes by what it gets.`

const ISSUED = 'The token is shown this once. Idempotency-Key is not honoured.'

const provenEdge =
  (edges: Edges) =>
  async (call: Proving<z.output<typeof EdgeId>>): Promise<void> =>
    void (await authenticateEdge(edges, call.params.edge_id, call))

export const edgeEndpoints = (edges: Edges): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: ALL,
    id: 'listEdges',
    summary: 'List edges, by name',
    description:
      'With their state as it is now, which follows from what is wanted of them and from when they were heard of.',
    level: 'keyed',
    tags,
    query: z.object({ state: z.enum(EDGE_STATES).optional().describe('Only those that are in it now') }),
    replies: { 200: z.array(EdgeView) },
    handler: async ({ query }) => ok(await listEdges(edges, query.state ?? null)),
  }),
  endpoint({
    method: 'POST',
    path: ALL,
    id: 'createEdge',
    summary: 'Create an edge and the token with which it fetches its routes',
    description: ISSUED,
    level: 'keyed',
    tags,
    query: Changing,
    body: EdgeCreate,
    faults: faultsBeside({ schema: EdgeCreate, stand_in: STAND_IN, evaluate: edgeFaults }),
    secret_reply: true,
    replies: { 201: EdgeIssued, 200: Planned },
    problems: ['name_taken'],
    handler: async (call) => {
      const { name, hostname = null, address = null, region = null } = call.body
      const answer = await createEdge(edges, { name, hostname, address, region }, callerOf(call))
      return 'dry_run' in answer ? ok(answer) : created(answer, { Location: `${ALL}/${answer.edge.id}` })
    },
  }),
  endpoint({
    ...one,
    method: 'GET',
    path: `${ALL}/{edge_id}`,
    id: 'getEdge',
    summary: 'One edge',
    description: 'Its state is as of now; `reason` says why.',
    replies: { 200: EdgeView },
    reply_headers: { ETag: 'The revision, for If-Match' },
    problems: ['not_found'],
    handler: async ({ params }) => ok(await readEdge(edges, params.edge_id)),
  }),
  endpoint({
    ...one,
    method: 'PUT',
    path: `${ALL}/{edge_id}`,
    id: 'updateEdge',
    summary: 'Change an edge, drain it, take it out or back in',
    description:
      'A state that differs from the present one is what is wanted: draining, offline, or active again. ' +
      'Pending cannot be set.',
    query: Changing,
    headers: IF_MATCH,
    body: EdgeUpdate,
    faults: faultsBeside({ schema: EdgeUpdate, stand_in: STAND_IN, evaluate: edgeFaults }),
    replies: { 200: EdgeSaved.or(Planned) },
    problems: ['not_found', 'name_taken', 'revision_mismatch'],
    handler: async (call) =>
      ok(await updateEdge(edges, { id: call.params.edge_id, change: call.body }, callerOf(call))),
  }),
  endpoint({
    ...one,
    method: 'DELETE',
    path: `${ALL}/{edge_id}`,
    id: 'removeEdge',
    summary: 'Remove an edge; its tokens end at once',
    description:
      'Nothing is served to it any more. What it fetched before it keeps serving until somebody stops it.',
    query: Changing,
    headers: IF_MATCH,
    replies: { 200: EdgeRemoved.or(Planned) },
    problems: ['not_found', 'revision_mismatch'],
    handler: async (call) => ok(await removeEdge(edges, call.params.edge_id, callerOf(call))),
  }),
  endpoint({
    ...one,
    method: 'POST',
    path: `${ALL}/{edge_id}/token`,
    id: 'rotateEdgeToken',
    summary: 'Issue the successor of the token; the old one goes on for 24 hours',
    description: ISSUED,
    query: Changing,
    secret_reply: true,
    replies: { 200: EdgeIssued.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await rotateEdgeToken(edges, call.params.edge_id, callerOf(call))),
  }),
  endpoint({
    ...one,
    method: 'DELETE',
    path: `${ALL}/{edge_id}/token`,
    id: 'revokeEdgeTokens',
    summary: 'End all tokens of an edge at once',
    description: 'The edge fetches nothing until it has a new one: POST the same path.',
    query: Changing,
    replies: { 200: EdgeSaved.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => ok(await revokeEdgeTokens(edges, call.params.edge_id, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: `${ALL}/{edge_id}/heartbeat`,
    id: 'edgeHeartbeat',
    summary: 'An edge says that it is alive, and what it runs',
    level: 'token',
    prove: provenEdge(edges),
    tags,
    params: EdgeId,
    body: Heartbeat,
    replies: { 200: EdgeView },
    problems: ['not_found', 'token_not_for_name', 'rate_limited'],
    handler: async (call) => {
      const config_version = call.body?.config_version ?? null
      return ok(await takeHeartbeat(edges, { id: call.params.edge_id, config_version }, call))
    },
  }),
  endpoint({
    method: 'GET',
    path: `${ALL}/{edge_id}/routes`,
    id: 'edgeRoutes',
    summary: 'The released routes, for the proxy of an edge',
    description: ROUTES,
    level: 'token',
    prove: provenEdge(edges),
    tags,
    params: EdgeId,
    headers: { 'If-None-Match': 'ETag of the routes that the edge has' },
    replies: { 200: { content_type: 'application/json', description: 'Dynamic configuration of Traefik' } },
    reply_headers: { ETag: 'Strong: SHA-256 of the body' },
    problems: ['not_found', 'token_not_for_name', 'rate_limited', 'component_unavailable'],
    handler: async (call) => {
      const { json, version, release } = await serveRoutes(edges, call.params.edge_id, call)
      return ok(json, {
        ETag: `"${version}"`,
        'Cache-Control': 'private, no-cache',
        'X-Plumbline-Release': String(release),
      })
    },
  }),
]
