/** Creating, changing and removing edges, and their tokens: one transaction each, audited, with a dry run. */
import type { z } from 'zod'
import { fieldError, invalid } from '../../kernel/failure.ts'
import type { Secret } from '../../kernel/secret.ts'
import {
  checkEdgeFields,
  type DesiredEdgeState,
  type Edge,
  type EdgeFields,
  type EdgeState,
  edgeState,
  stateOfReason,
} from '../../model/edge.ts'
import { planned, type PlannedAnswer } from '../../core/answers.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'
import { ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Edges } from './edges.ts'
import { findEdge, findUnchangedEdge } from './find.ts'
import { issueToken, revokeTokens, rotateTokens } from '../../kernel/issued-tokens.ts'
import { tokensOf } from '../../store/token-rows.ts'
import { plannedChange, plannedEdge, plannedRemoval, plannedToken, plannedTokenEnd } from './planned-edge.ts'
import { edgeRecords, edgeTokens } from './records.ts'
import { edgeView } from './view.ts'
import type { EdgeIssued, EdgeSaved } from './views.ts'

export type EdgeAnswer = z.output<typeof EdgeSaved>
export type EdgeTokenAnswer = z.output<typeof EdgeIssued>

/** What is to be written. What is only read may stand beside it: the fixed parts must be the present ones. */
export interface EdgeChange {
  readonly name?: string | undefined
  readonly hostname?: string | null | undefined
  readonly address?: string | null | undefined
  readonly region?: string | null | undefined
  readonly state?: EdgeState | undefined
  readonly desired_state?: DesiredEdgeState | undefined
  readonly id?: number | undefined
  readonly revision?: number | undefined
  /** As it was read beside `state`. */
  readonly reason?: string | undefined
}

/** Throws `validation_failed` or `name_taken`. */
export async function createEdge(
  edges: Edges,
  given: EdgeFields,
  caller: Caller,
): Promise<EdgeTokenAnswer | PlannedAnswer> {
  const fields = checked(given)
  const committed = await edges.commit(caller, async (tx, at) => {
    const edge = await tx.of(edgeRecords).insertEdge({ ...fields, desired_state: 'active', created_at: at })
    const token = await issueToken(tokensOf(tx, edgeTokens, edge.id), at)
    return { ...saved({ edge, token }, edgeAudit('create_edge', null, edge)), actions: plannedEdge(fields) }
  })
  if (committed.planned) return planned(committed.plan)
  const { edge, token } = committed.result
  edges.changed()
  return issued(edges, edge, { message: `The edge ${edge.name} was created.`, token })
}

/** Throws `validation_failed`, `not_found`, `revision_mismatch` or `name_taken`. */
export async function updateEdge(
  edges: Edges,
  { id, change }: { readonly id: number; readonly change: EdgeChange },
  caller: Caller,
): Promise<EdgeAnswer | PlannedAnswer> {
  const committed = await edges.commit(caller, async (tx, at) => {
    const before = await findUnchangedEdge(tx, id, caller)
    assertFixed(before, change)
    const known = edges.contacts.known(before)
    const desired_state = desiredOf(before, edgeState(known, known.lost_since), change)
    await tx
      .of(edgeRecords)
      .reviseEdge(id, { ...checked(changed(before, change)), desired_state, updated_at: at })
    const after = await findEdge(tx, id)
    return { ...saved(after, edgeAudit('update_edge', before, after)), actions: plannedChange(before, after) }
  })
  if (committed.planned) return planned(committed.plan)
  edges.changed()
  return shown(edges, committed.result, `The edge ${committed.result.name} was saved.`)
}

/** Removes the edge with its tokens: it is served nothing any more. Throws `not_found` or `revision_mismatch`. */
export async function removeEdge(
  edges: Edges,
  id: number,
  caller: Caller,
): Promise<{ readonly success: true; readonly message: string } | PlannedAnswer> {
  const committed = await edges.commit(caller, async (tx) => {
    const edge = await findUnchangedEdge(tx, id, caller)
    await tx.of(edgeRecords).deleteEdge(id)
    const change = saved(edge, edgeAudit('delete_edge', edge, null))
    return { ...change, actions: plannedRemoval(edge), closes: true, goes_on: 'waiting' }
  })
  if (committed.planned) return planned(committed.plan)
  edges.contacts.forget(id)
  edges.changed()
  return { success: true, message: `The edge ${committed.result.name} was removed; its tokens have ended.` }
}

/** Issues the successor of the edge's token; the old one goes on for 24 hours. Throws `not_found`. */
export async function rotateEdgeToken(
  edges: Edges,
  id: number,
  caller: Caller,
): Promise<EdgeTokenAnswer | PlannedAnswer> {
  const committed = await edges.commit(caller, async (tx, at) => {
    const edge = await findEdge(tx, id)
    const rotated = await rotateTokens(tokensOf(tx, edgeTokens, id), at)
    const change = saved({ edge, ...rotated }, edgeAudit('rotate_edge_token', edge, edge))
    return { ...change, actions: plannedToken(edge), closes: true }
  })
  if (committed.planned) return planned(committed.plan)
  const { edge, token, rest } = committed.result
  return issued(edges, edge, { message: `A new token for ${edge.name} was issued${rest}.`, token })
}

/** Ends all tokens of the edge at once. Throws `not_found`. */
export async function revokeEdgeTokens(
  edges: Edges,
  id: number,
  caller: Caller,
): Promise<EdgeAnswer | PlannedAnswer> {
  const committed = await edges.commit(caller, async (tx, at) => {
    const edge = await findEdge(tx, id)
    const ended = await revokeTokens(tokensOf(tx, edgeTokens, id), at)
    const change = saved({ edge, ended }, edgeAudit('revoke_edge_tokens', edge, edge))
    return { ...change, actions: plannedTokenEnd(edge), closes: true, goes_on: 'waiting' }
  })
  if (committed.planned) return planned(committed.plan)
  const { edge, ended } = committed.result
  return shown(edges, edge, `${ended} of the tokens of ${edge.name} were ended.`)
}

const saved = <R>(result: R, audit: AuditFacts) => ({
  result,
  audit: [audit],
  ...ONLY_SAVES,
  warnings: [],
})

async function shown(edges: Edges, edge: Edge, message: string): Promise<EdgeAnswer> {
  const view = edgeView(edges, edge, await edges.routes.version())
  return { success: true, message, edge: view }
}

async function issued(
  edges: Edges,
  edge: Edge,
  answer: { message: string; token: Secret },
): Promise<EdgeTokenAnswer> {
  const { message, token } = answer
  const lines = edgeLines(edges.baseUrl(), edge.id, token)
  return { ...(await shown(edges, edge, message)), ...lines, token: token.reveal() }
}

function checked(given: EdgeFields): EdgeFields {
  const fields = checkEdgeFields(given)
  if (!fields.ok) throw invalid(fields.errors)
  return fields.value
}

const changed = ({ name, hostname, address, region }: Edge, change: EdgeChange): EdgeFields => ({
  name: change.name ?? name,
  hostname: change.hostname === undefined ? hostname : change.hostname,
  address: change.address === undefined ? address : change.address,
  region: change.region === undefined ? region : change.region,
})

function assertFixed(before: Edge, change: EdgeChange): void {
  const errors = (['id', 'revision'] as const)
    .filter((field) => change[field] !== undefined && change[field] !== before[field])
    .map((field) => fieldError(['body', field], `cannot be changed; it is ${before[field]}`, 'read_only'))
  if (errors.length > 0) throw invalid(errors)
}

/**
 * What is wanted after a change. `state` is taken where it is what is read, so that reading, editing and writing back
 * works; another one is a wish, except `pending`, which only time gives.
 */
function desiredOf(before: Edge, present: EdgeState, change: EdgeChange): DesiredEdgeState {
  const { state, desired_state } = change
  const wish = state === present || isAsRead(change) ? undefined : state
  const refused = (msg: string) => invalid([fieldError(['body', 'state'], msg, 'edge_state')])
  if (wish === 'pending') throw refused('cannot be set: an edge is pending until it is heard of')
  const is_other = desired_state !== undefined && desired_state !== before.desired_state
  if (wish !== undefined && is_other && wish !== desired_state)
    throw refused(`contradicts desired_state ${desired_state}`)
  return wish ?? desired_state ?? before.desired_state
}

/** The edge may have called or fallen silent since it was read: the reason beside the state says what it was then. */
const isAsRead = ({ state, desired_state, reason }: EdgeChange): boolean =>
  desired_state !== undefined && reason !== undefined && stateOfReason(reason) === state

function edgeAudit(action: string, before: Edge | null, after: Edge | null): AuditFacts {
  const { id, name, hostname, address, region, desired_state } = (after ?? before)!
  return {
    action,
    domain_id: null,
    domain: null,
    revision_before: before?.revision ?? null,
    revision_after: after?.revision ?? null,
    detail: { edge_id: id, name, hostname, address, region, desired_state },
  }
}

/**
 * What is put into the static configuration of Traefik on an edge, so that it fetches its routes (HTTP provider).
 * @param base `https://plumbline.example.com`, without a slash at its end
 */
function edgeLines(
  base: string,
  edge_id: number,
  token: Secret,
): Pick<EdgeTokenAnswer, 'endpoint' | 'traefik' | 'warnings'> {
  const endpoint = `${base}/api/ccm/edge/edges/${edge_id}/routes`
  const traefik =
    'providers:\n  http:\n' +
    `    endpoint: ${JSON.stringify(endpoint)}\n` +
    '    pollInterval: 10s\n    headers:\n' +
    `      Authorization: ${JSON.stringify(`Bearer ${token.reveal()}`)}\n`
  const warnings = base.startsWith('https:')
    ? []
    : [
        'The lines carry the token over plain http, where it can be read on the way. Set PLUMBLINE_PUBLIC_URL to an https address.',
      ]
  return { endpoint, traefik, warnings }
}
