/** Sends operations to Cloudflare: all of them in one transaction, or one by one where there is no batch to be had. */
import { z } from 'zod'
import { Failure } from '../../../../kernel/failure.ts'
import type { ChangeOutcome } from '../port.ts'
import { type JsonApi, unusable } from '../json-api.ts'
import { absolute } from '../whole-listing.ts'
import { FailuresInARow, outcomeAlone } from '../server-failure.ts'
import { hasCode, NO_SUCH_RECORD } from './refusals.ts'
import { batch, type Operation, record, type Refusal, removed, resultOf, type WireRecord } from './wire.ts'

export interface Sending {
  readonly api: JsonApi<Refusal>
  readonly zone: string
  readonly zone_id: string
  readonly signal: AbortSignal
}

export type Sent =
  /** The id of each operation's record, by operation. */
  | { readonly ok: true; readonly ids: ReadonlyMap<Operation, string> }
  | {
      readonly ok: false
      readonly status: number
      readonly refusal: Refusal | null
      readonly failure: Failure
    }

const changing = (zone: string): string => `change the records of ${zone}`
const recordsPath = (zone_id: string): string => `/zones/${zone_id}/dns_records`
// A full batch is one long transaction.
const BATCH_DEADLINE_MS = 60_000

/** One request; the server takes deletes, patches, puts, posts in this order and undoes all when one fails. */
export async function sendBatch(sending: Sending, operations: readonly Operation[]): Promise<Sent> {
  const { api, zone, zone_id, signal } = sending
  const sorted = sortedByKind(operations)
  const answer = await api.try({
    method: 'POST',
    path: `${recordsPath(zone_id)}/batch`,
    json: batchOf(sorted),
    answer: resultOf(batch),
    what: changing(zone),
    signal,
    deadline_ms: BATCH_DEADLINE_MS,
  })
  if (!answer.ok) return answer
  const ids = idsIn(answer.body.result, sorted)
  if (ids === null) throw unusable(api.provider, changing(zone), UNANSWERED)
  return { ok: true, ids }
}

const UNANSWERED = 'the answer does not list what was sent, so it is unknown what was done'

const sortedByKind = (operations: readonly Operation[]) => ({
  deletes: only(operations, 'delete'),
  patches: only(operations, 'patch'),
  posts: only(operations, 'post'),
})

type SortedByKind = ReturnType<typeof sortedByKind>

const batchOf = ({ deletes, patches, posts }: SortedByKind) => ({
  deletes: deletes.map(({ id }) => ({ id })),
  patches: patches.map(({ id, body }) => ({ id, ...body })),
  puts: [],
  posts: posts.map(({ body }) => body),
})

/** By operation; null where the answer does not list what was sent. */
function idsIn(
  result: z.infer<typeof batch>,
  { deletes, patches, posts }: SortedByKind,
): ReadonlyMap<Operation, string> | null {
  const sent = [...deletes, ...patches, ...posts]
  const got = [...(result.deletes ?? []), ...(result.patches ?? []), ...(result.posts ?? [])]
  const is_answered = got.length === sent.length && sent.every((operation, i) => answers(operation, got[i]!))
  return is_answered ? new Map(sent.map((operation, i) => [operation, got[i]!.id])) : null
}

function answers(operation: Operation, got: WireRecord | { readonly id: string }): boolean {
  if (operation.kind !== 'post') return got.id === operation.id
  return 'name' in got && absolute(got.name) === operation.body.name && got.type === operation.body.type
}

const only = <K extends Operation['kind']>(operations: readonly Operation[], kind: K) =>
  operations.filter((operation): operation is Extract<Operation, { kind: K }> => operation.kind === kind)

const ORDER = ['delete', 'patch', 'post'] as const

/**
 * One request for each operation, in the order of a batch. One that is refused, or at which the server fails, sinks its own
 * change only; trouble of any other kind ends the work, and what is left of it is told as failed. Throws that trouble when
 * nothing was done before.
 */
export async function sendSingly(
  sending: Sending,
  operations: readonly Operation[],
): Promise<{
  readonly ids: ReadonlyMap<Operation, string>
  readonly failed: ReadonlyMap<number, ChangeOutcome>
}> {
  const ids = new Map<Operation, string>()
  const failed = new Map<number, ChangeOutcome>()
  const in_a_row = new FailuresInARow()
  let end: Failure | null = null
  for (const operation of ORDER.flatMap((kind): Operation[] => only(operations, kind))) {
    if (failed.has(operation.of)) continue
    const failure: Failure | null = end ?? (await sendOne(sending, operation, ids))
    if (failure === null) in_a_row.succeeded()
    else {
      end ??= in_a_row.endedBy(failure)
      if (end !== null && ids.size === 0) throw end
      failed.set(operation.of, outcomeAlone(end ?? failure))
    }
  }
  return { ids, failed }
}

async function sendOne(
  sending: Sending,
  operation: Operation,
  ids: Map<Operation, string>,
): Promise<Failure | null> {
  try {
    const answer = await sending.api.try(callOf(sending, operation))
    if (answer.ok) ids.set(operation, answer.body.result.id)
    else if (operation.kind === 'delete' && hasCode(answer.refusal, NO_SUCH_RECORD))
      ids.set(operation, operation.id)
    else return answer.failure
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function callOf({ zone, zone_id, signal }: Sending, operation: Operation) {
  const common = { what: changing(zone), signal, answer: resultOf(z.union([record, removed])) }
  const path = recordsPath(zone_id)
  if (operation.kind === 'post') return { ...common, method: 'POST' as const, path, json: operation.body }
  const one = `${path}/${operation.id}`
  if (operation.kind === 'delete') return { ...common, method: 'DELETE' as const, path: one }
  return { ...common, method: 'PATCH' as const, path: one, json: operation.body }
}
