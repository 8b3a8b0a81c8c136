/** The clients of the SSH gateway, with what stands there now. Changes nothing. */
import { Failure } from '../../kernel/failure.ts'
import type { FileLook } from '../../ports/files.ts'
import type { Deps } from '../deps.ts'
import { type ClientView, viewsOf } from './view.ts'

export interface ClientsAnswer {
  readonly configured: boolean
  readonly place: string | null
  /** Null where the gateway could not be read, and for none. */
  readonly reachable: boolean | null
  readonly detail: string | null
  readonly clients: readonly ClientView[]
}

const LOOK_WITHIN_MS = 15_000

export async function readClients(
  deps: Pick<Deps, 'store' | 'ssh'>,
  signal: AbortSignal,
): Promise<ClientsAnswer> {
  const { file } = deps.ssh
  const seen = file === null ? null : await lookAtGateway(deps, signal)
  const look = seen?.look ?? null
  return {
    configured: file !== null,
    place: file?.place ?? null,
    reachable: seen === null ? null : look !== null,
    detail:
      file === null ? 'PLUMBLINE_AUTHORIZED_KEYS is not set, so no gateway takes these keys.' : seen!.detail,
    clients: viewsOf(await deps.store.sshClients(), look),
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
