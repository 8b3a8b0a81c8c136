/** Whether anybody answers where a backend is said to be, for whoever exposes it: asked once, within seconds, and never in its way. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'
import type { ProbeFailure } from './probe/port.ts'
import type { BackendService } from './service.ts'
import { type Backend, type Unfit, vetted } from './vetted.ts'

/** What keeps us from it; null where somebody answers, or where that was not found out. */
export type Unreached = ProbeFailure | 'no_such_name' | null

const WITHIN_MS: Milliseconds = 3_000

/** Throws only the signal's reason. */
export async function whyUnreached(
  { backend: service, clock }: Pick<Deps, 'backend' | 'clock'>,
  { backend_host: host, backend_port: port, service_type }: DomainFields,
  signal: AbortSignal,
): Promise<Unreached> {
  if (host === null || port === null || service_type === 'manual') return null
  const bound = { clock, ms: WITHIN_MS, signal }
  try {
    return await withTimeout(
      bound,
      (ends) => service.gate.pass(() => whyNotConnected(service, { host, port }, ends)),
      () => 'timeout',
    )
  } catch (error) {
    if (error instanceof Failure && error.code === 'rate_limited') return null
    throw error
  }
}

async function whyNotConnected(
  service: BackendService,
  backend: Backend,
  signal: AbortSignal,
): Promise<Unreached> {
  const found = await vetted(backend, service, signal)
  if (!found.ok) return unreachedBy(found.reason)
  const seen = await service.probe.connect(found.place, signal)
  return seen.ok ? null : seen.failure
}

/** What is not asked is not known. */
const unreachedBy = (reason: Unfit): Unreached => (reason === 'no_such_name' ? reason : null)
