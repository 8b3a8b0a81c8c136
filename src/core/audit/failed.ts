/** A call that was accepted and could not be carried out has an entry of its own, which says why: the first one says only that it was asked for. */
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { DeploymentResult } from '../answers.ts'
import type { Caller } from '../caller.ts'
import { auditEntry } from './entries.ts'
import { OF_NO_RECORD } from './facts.ts'

interface Parts {
  readonly store: Pick<Store, 'write' | 'domain'>
  readonly clock: Clock
  readonly log: Log
}

export interface CarriedOut {
  readonly caller: Caller
  /** As the trail calls the call: `deploy` leaves `deploy_failed`. */
  readonly action: string
  readonly domain_id?: number
  /** Its name, where the record is deleted by then. */
  readonly domain?: string
  readonly component?: string | null
}

/** Throws what the work throws, whether or not the trail could be told. */
export async function failuresAudited<T>(
  parts: Parts,
  carried: CarriedOut,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) await notedAnyway(parts, carried, error)
    throw error
  }
}

type Answered = Pick<DeploymentResult, 'success' | 'message' | 'unfinished'>

/** The same of a call over many records, which is answered also where not all of it stands. */
export async function outcomeAudited<T extends Answered>(
  parts: Parts,
  carried: CarriedOut,
  work: () => Promise<T>,
): Promise<T> {
  const answer = await failuresAudited(parts, carried, work)
  if (!answer.success) await notedAnyway(parts, carried, reasonIn(answer))
  return answer
}

/** What was done, and why the rest was not. */
const reasonIn = ({ message, unfinished }: Answered): Reason => ({
  ...(unfinished[0] !== undefined && { code: unfinished[0].code }),
  message: [...new Set([message, ...unfinished.map((part) => part.message)])].join(' '),
})

interface Reason {
  readonly code?: string
  readonly message: string
}

const notedAnyway = (parts: Parts, carried: CarriedOut, reason: Reason): Promise<void> =>
  noted(parts, carried, reason).catch((fault: unknown) =>
    parts.log.warn('a failed call is not in the audit trail', { error: fault }),
  )

async function noted(
  { store, clock }: Parts,
  { caller, action, domain_id, domain, component }: CarriedOut,
  { code, message }: Reason,
): Promise<void> {
  const record = domain_id === undefined ? null : await store.domain(domain_id)
  const facts = {
    ...OF_NO_RECORD,
    ...(domain_id !== undefined && domain !== undefined && { domain_id, domain }),
    ...(record !== null && { domain_id: record.id, domain: record.domain }),
    action: `${action}_failed`,
    detail: {
      ...(component !== undefined && { component }),
      ...(code !== undefined && { code }),
      reason: message,
    },
  }
  await store.write((tx) => tx.audit(auditEntry(facts, { caller, at: clock.now(), plan_hash: null })))
}
