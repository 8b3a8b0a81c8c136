/** The clients of the SSH gateway, with what stands there now. Changes nothing. */
import { Failure } from '../../kernel/failure.ts'
import { offenceWords, strictModesOffences } from '../../model/ssh/strict-modes.ts'
import type { DriftCause, ExplainedDifference } from '../../model/drift.ts'
import type { SeenKeys } from './authorized-keys-port.ts'
import type { SshService } from './service.ts'
import { GATEWAY } from '../../model/component.ts'
import { viewsOf } from './view.ts'
import { sshClientRecords } from './records.ts'
import type { ClientView, ClientsAnswer } from './views.ts'

/** Nobody waits longer to learn how something is. */
const LOOK_WITHIN_MS = 5_000

export async function readClients(ssh: SshService, signal: AbortSignal): Promise<ClientsAnswer> {
  const { file, stateOf } = ssh
  const turn = ssh.engine().beginObservation()
  const seen = file === null ? null : await lookAtGateway(ssh, signal)
  const found = seen?.found ?? null
  const look = found?.look ?? null
  const clients = await ssh.store.of(sshClientRecords).sshClients()
  const observation =
    found === null
      ? ({ known: false, detail: seen?.detail ?? '' } as const)
      : ({ known: true, state: stateOf(found, clients) } as const)
  // A file that is not there yet gives no offence.
  const offences = found === null ? null : found.way === null ? [] : strictModesOffences(found.way)
  const compared = seen === null ? null : await ssh.engine().compare(GATEWAY, observation, turn)
  const differences = compared?.differences ?? []
  return {
    configured: file !== null,
    place: file?.place ?? null,
    reachable: seen === null ? null : look !== null,
    detail:
      file === null ? 'PLUMBLINE_AUTHORIZED_KEYS is not set, so no gateway takes these keys.' : seen!.detail,
    offences: offences && offences.map(offenceWords),
    offences_by_part: offences,
    drift: compared === null ? null : compared.drift,
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

interface Seen {
  /** Null where it could not be read. */
  readonly found: SeenKeys | null
  readonly detail: string | null
}

/** A look that fails is an answer; only an abort by `signal` throws. */
export async function lookAtGateway(ssh: SshService, signal: AbortSignal): Promise<Seen> {
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_WITHIN_MS)])
    return { found: (await ssh.file?.see(bounded)) ?? null, detail: null }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure) return { found: null, detail: error.message }
    if (error instanceof DOMException) return { found: null, detail: 'The gateway did not answer in time.' }
    throw error
  }
}
