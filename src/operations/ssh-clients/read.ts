/** The clients of the SSH gateway, with what stands there now. Changes nothing. */
import { Failure } from '../../kernel/failure.ts'
import { strictModesFaults } from '../../model/ssh/strict-modes.ts'
import type { FileLook } from '../../ports/files.ts'
import type { Deps } from '../deps.ts'
import { type ClientView, viewsOf } from './view.ts'

export interface ClientsAnswer {
  readonly configured: boolean
  readonly place: string | null
  /** Null where the gateway could not be read, and for none. */
  readonly reachable: boolean | null
  readonly detail: string | null
  /** What keeps a strict sshd from reading the file; null where that is not known. */
  readonly offences: readonly string[] | null
  readonly clients: readonly ClientView[]
}

const LOOK_WITHIN_MS = 15_000

export async function readClients(
  deps: Pick<Deps, 'store' | 'ssh'>,
  signal: AbortSignal,
): Promise<ClientsAnswer> {
  const { file } = deps.ssh
  const [seen, offences] =
    file === null ? [null, null] : await Promise.all([lookAtGateway(deps, signal), offencesAt(deps, signal)])
  const look = seen?.look ?? null
  return {
    configured: file !== null,
    place: file?.place ?? null,
    reachable: seen === null ? null : look !== null,
    detail:
      file === null ? 'PLUMBLINE_AUTHORIZED_KEYS is not set, so no gateway takes these keys.' : seen!.detail,
    offences: look === null ? null : offences,
    clients: viewsOf(await deps.store.sshClients(), look),
  }
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
