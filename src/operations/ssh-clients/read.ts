/** The clients of the SSH gateway, with what stands there now. Changes nothing. */
import { Failure } from '../../kernel/failure.ts'
import { strictModesFaults } from '../../model/ssh/strict-modes.ts'
import type { DriftCause, DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { FileLook } from '../../ports/files.ts'
import type { Deps } from '../deps.ts'
import { GATEWAY } from './desk.ts'
import { type ClientView, viewsOf } from './view.ts'

export interface ClientsAnswer {
  readonly configured: boolean
  readonly place: string | null
  /** Null where the gateway could not be read, and for none. */
  readonly reachable: boolean | null
  readonly detail: string | null
  /** What keeps a strict sshd from reading the file; null where that is not known. */
  readonly offences: readonly string[] | null
  /** Null where the gateway could not be read, and for none. */
  readonly drift: DriftState
  readonly clients: readonly ListedClient[]
  /** The same as `GET /api/drift` tells. */
  readonly differences: readonly ExplainedDifference[]
}

/** `cause` is null for what is as it should be, and for foreign keys, of which nothing is asked. */
export type ListedClient = ClientView & { readonly cause: DriftCause | null }

const LOOK_WITHIN_MS = 15_000

export async function readClients(
  deps: Pick<Deps, 'store' | 'ssh' | 'engine'>,
  signal: AbortSignal,
): Promise<ClientsAnswer> {
  const { file, stateOf } = deps.ssh
  const [seen, offences] =
    file === null ? [null, null] : await Promise.all([lookAtGateway(deps, signal), offencesAt(deps, signal)])
  const look = seen?.look ?? null
  const clients = await deps.store.sshClients()
  const judged = look === null ? null : await deps.engine.judge(GATEWAY, stateOf(look, clients))
  const differences = judged?.differences ?? []
  return {
    configured: file !== null,
    place: file?.place ?? null,
    reachable: seen === null ? null : look !== null,
    detail:
      file === null ? 'PLUMBLINE_AUTHORIZED_KEYS is not set, so no gateway takes these keys.' : seen!.detail,
    offences: look === null ? null : offences,
    drift: judged === null ? null : judged.drift,
    clients: viewsOf(clients, look).map((view) => ({ ...view, cause: causeOf(view, differences) })),
    differences,
  }
}

/** By its own line, else by what is wrong with our lines as a whole. */
function causeOf(
  { state, fingerprint, managed }: ClientView,
  differences: readonly ExplainedDifference[],
): DriftCause | null {
  if (state === 'foreign') return null
  const own = differences.find(({ item }) => item.split(' ')[0] === fingerprint)
  const whole = managed && state === 'unknown' ? differences[0] : undefined
  return (own ?? whole)?.cause ?? null
}

/** Null where it cannot be told; a file that is not there yet gives no offence. */
async function offencesAt(
  { ssh }: Pick<Deps, 'ssh'>,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  try {
    const way = await ssh.file?.way(AbortSignal.any([signal, AbortSignal.timeout(LOOK_WITHIN_MS)]))
    return way === null || way === undefined ? [] : strictModesFaults(way)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure || error instanceof DOMException)) throw error
    return null
  }
}

interface Seen {
  /** Null where it could not be read. */
  readonly look: FileLook | null
  readonly detail: string | null
}

/** A look that fails is an answer; only an abort by `signal` throws. */
export async function lookAtGateway({ ssh }: Pick<Deps, 'ssh'>, signal: AbortSignal): Promise<Seen> {
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_WITHIN_MS)])
    return { look: (await ssh.file?.look(bounded)) ?? null, detail: null }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure) return { look: null, detail: error.message }
    if (error instanceof DOMException) return { look: null, detail: 'The gateway did not answer in time.' }
    throw error
  }
}
