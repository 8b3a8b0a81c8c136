/** Is anybody there, and does the proxy get on with it? Connections to the vetted address, and few words about them. */
import type { Reader } from '../../../core/shares.ts'
import type { DomainRecord } from '../../../model/domain/record.ts'
import type { BackendPlace, ProbeFailure } from './probe/port.ts'
import type { BackendService } from './service.ts'
import { lookAtTransport } from './transport.ts'
import { type Unfit, vetted } from './vetted.ts'
import type { BackendTransport } from './views.ts'

export interface BackendCheck {
  /** Null where it was not tried: the address is not one to be probed. */
  readonly backend_tcp_reachable: boolean | null
  /** Why it is not reachable or was not tried, else null. */
  readonly backend_trouble: ProbeFailure | Unfit | 'no_backend' | null
  /** Null where nobody is there, and for a record that is not spoken HTTP to. */
  readonly backend_transport: BackendTransport | null
}

/** Throws `rate_limited`, and the signal's reason. */
export async function checkBackend(
  service: BackendService,
  record: DomainRecord,
  { signal, reader }: { readonly signal: AbortSignal; readonly reader: Reader },
): Promise<BackendCheck> {
  const { backend_host: host, backend_port: port } = record
  if (host === null || port === null)
    return { backend_tcp_reachable: null, backend_trouble: 'no_backend', backend_transport: null }
  return service.gate.pass(async () => {
    const found = await vetted({ host, port }, service, signal)
    if (found.ok) return checkedAt(service, { record, place: found.place }, signal)
    const backend_tcp_reachable = found.reason === 'no_such_name' ? false : null
    return { backend_tcp_reachable, backend_trouble: found.reason, backend_transport: null }
  }, reader)
}

async function checkedAt(
  { probe, authorities }: BackendService,
  { record, place }: { readonly record: DomainRecord; readonly place: BackendPlace },
  signal: AbortSignal,
): Promise<BackendCheck> {
  const seen = await probe.connect(place, signal)
  if (!seen.ok)
    return { backend_tcp_reachable: false, backend_trouble: seen.failure, backend_transport: null }
  const question = { record, place, authorities, http: null }
  const backend_transport = seen.greeting === '' ? await lookAtTransport(probe, question, signal) : null
  return { backend_tcp_reachable: true, backend_trouble: null, backend_transport }
}
