/** Is anybody there? One connection to the vetted address, and one coarse word about it. */
import type { ProbeTrouble } from '../../ports/backend-probe.ts'
import type { BackendDesk } from './desk.ts'
import { type Backend, type Unfit, vetted } from './vetted.ts'

export interface BackendCheck {
  /** Null where it was not tried: the address is not one to be probed. */
  readonly backend_tcp_reachable: boolean | null
  /** Why it is not reachable or was not tried, else null. */
  readonly backend_trouble: ProbeTrouble | Unfit | 'no_backend' | null
}

/** Throws `rate_limited`, and the signal's reason. */
export async function checkBackend(
  desk: BackendDesk,
  backend: Backend | null,
  signal: AbortSignal,
): Promise<BackendCheck> {
  if (backend === null) return { backend_tcp_reachable: null, backend_trouble: 'no_backend' }
  return desk.gate.pass(async () => {
    const found = await vetted(backend, desk, signal)
    if (!found.ok) {
      const backend_tcp_reachable = found.reason === 'no_such_name' ? false : null
      return { backend_tcp_reachable, backend_trouble: found.reason }
    }
    const seen = await desk.probe.connect(found.place, signal)
    return seen.ok
      ? { backend_tcp_reachable: true, backend_trouble: null }
      : { backend_tcp_reachable: false, backend_trouble: seen.trouble }
  })
}
