/** What the proxy shows each name in a handshake. The page is answered from what the last handshakes have shown. */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { CERTIFICATES_SERVED, type WireDrift, wireDrift } from './wire-drift.ts'
import type { Deps } from '../deps.ts'
import type { Overview, PartAdvice } from '../../../core/finding.ts'
import type { HealthComponent } from '../../../model/health.ts'
import {
  drifting,
  FILES_EVERY_MS,
  type HealthCheck,
  healthy,
  type LookedAt,
  named,
  unknown,
} from '../../../core/check.ts'

/** Each name is asked every five minutes, and ten thousand take more than eight. */
const STALE_MS: Milliseconds = 20 * 60_000

export const servedCheck = (deps: Deps): HealthCheck => ({
  name: CERTIFICATES_SERVED,
  kind: 'watch',
  configured: deps.certificates.wire !== null,
  // Nothing is asked by it but for a probe.
  every_ms: FILES_EVERY_MS,
  stale_after_ms: STALE_MS,
  async look({ signal, afresh }) {
    const began = deps.clock.now()
    const found = (await wireDrift(deps, signal, { afresh, insists: afresh }))!
    return evaluateServed(found, afresh ? began : null)
  },
  advises: ({ cause }) => (cause === 'not_served' ? NOT_SERVED : {}),
  follows: isReportedByProxy,
})

/** Whoever comes there is warned off by their browser. */
const NOT_SERVED: Partial<PartAdvice> = {
  severity: 'warning',
  remedy:
    'The log of the proxy says whether it can read its certificate files and has the resolver that routes name; "plumbline certificates" names each and what helps.',
}

/** A proxy that is away shows nothing, and one that runs an earlier file lacks what is new. */
function isReportedByProxy({ drift }: Pick<HealthComponent, 'drift'>, overview: Pick<Overview, 'part'>) {
  const proxy = overview.part('proxy')
  if (proxy?.configured !== true) return false
  const runs_older = proxy.cause === 'not_loaded' || proxy.details['written'] === false
  return runs_older || (proxy.drift === null && drift === null)
}

/** Pure. @param since when somebody wanted to know it afresh; null: nobody did */
export function evaluateServed(
  { drift, differences, reason, names, never_asked, observed_at }: WireDrift,
  since: Instant | null = null,
): LookedAt {
  const extra = {
    details: { names, not_served: differences.length },
    ...(observed_at !== null && { observed_at }),
  }
  if (drift === null)
    return unknown(never_asked === names ? 'never_looked' : 'unreachable', reason ?? '', extra)
  if (drift) {
    const domains = differences.map(({ item }) => item)
    const message = `${named(domains)}: another certificate than it should be. ${differences[0]!.detail}`
    return drifting('not_served', message, { ...extra, differences, causes: { not_served: domains.length } })
  }
  if (names === 0) return healthy('No name is deployed with TLS.', extra)
  const is_older = since !== null && observed_at !== null && observed_at < since
  return healthy(`All ${names} names are served their own${is_older ? AS_OF_THEN : '.'}`, extra)
}

const AS_OF_THEN = ', as each was seen last: there was no time to ask all of them anew.'

/** What is known by now is on the page before the answer of whoever asks this goes out. */
export async function noteServed(
  deps: Pick<Deps, 'certificates' | 'health' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const began_ms = deps.clock.elapsed()
  const found = await wireDrift(deps, signal, { afresh: false })
  if (found !== null) deps.health.rounds.note(CERTIFICATES_SERVED, evaluateServed(found), began_ms)
}
