/** Whether a domain is served its certificate, as a part of the answer to "why is this domain as it is". */
import { isoTime } from '../../kernel/clock.ts'
import type { DriftState } from '../../model/drift.ts'
import { CERTIFICATES_SERVED, notServed } from '../certificates/wire/wire-drift.ts'
import type { WireObservation } from '../certificates/wire/wire-watch.ts'
import type { Deps } from './deps.ts'
import { noteServed } from '../certificates/wire/check.ts'
import type { ExplainedComponent } from './explained.ts'

interface Explained {
  /** By its deployed name. */
  readonly domain: string
  readonly domain_id: number
  readonly revision: number | null
}

/** None where it is not set where the proxy serves TLS, and for what is not deployed with TLS. */
export async function explainServed(
  deps: Pick<Deps, 'certificates' | 'health' | 'clock'>,
  { domain, domain_id, revision }: Explained,
  signal: AbortSignal,
): Promise<readonly ExplainedComponent[]> {
  const {
    certificates: { wire },
    clock,
  } = deps
  if (wire === null) return []
  await wire.refresh(signal, domain)
  await noteServed(deps, signal)
  const found = (await wire.observations()).find((one) => one.domain_id === domain_id)
  if (found === undefined) return []
  return [componentOf(found.domain, found.observation ?? unseen(clock.now()), revision)]
}

const unseen = (now: number): WireObservation => ({
  drift: null,
  detail: 'Nobody has asked it yet.',
  at: now,
  since: now,
})

/** Nothing here is mended by the engine: it is the proxy that serves. */
function componentOf(
  domain: string,
  observation: WireObservation,
  revision: number | null,
): ExplainedComponent {
  const { drift, detail, at, since } = observation
  const observed_at = isoTime(at)
  return {
    component: CERTIFICATES_SERVED,
    key: CERTIFICATES_SERVED,
    agrees: drift === null ? null : !drift,
    cause: drift === true ? 'not_served' : null,
    kept: [],
    desired: null,
    released: null,
    observed: null,
    differences: drift === true ? [notServed(domain, observation)] : [],
    observed_at,
    unknown_because: drift === null ? detail : null,
    applied: true,
    condition: {
      ...STANDS[`${drift}`],
      message: detail ?? 'It is served its own certificate.',
      observed_revision: revision,
      last_transition_at: isoTime(since),
      observed_at,
    },
    engine: LOOKS_ONLY,
  }
}

const STANDS = {
  false: { status: 'true', reason: 'in_sync' },
  true: { status: 'false', reason: 'drifting' },
  null: { status: 'unknown', reason: 'unreadable' },
} as const satisfies Readonly<Record<`${DriftState}`, object>>

const LOOKS_ONLY: ExplainedComponent['engine'] = {
  will: 'look_again',
  because: 'The proxy serves it; what is seen here is not mended from here.',
  mode: 'observe',
  mode_reason: '',
  suspended_until: null,
  guard: null,
  failures: 0,
  next_attempt_at: null,
}
