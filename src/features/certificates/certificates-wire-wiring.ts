/** From settings to the look at what each name is served. */
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { Report } from '../../model/report.ts'
import type { CertificateService } from './service.ts'
import { expectations } from './wire/expected.ts'
import { WireWatch } from './wire/wire-watch.ts'
import type { Store } from '../../ports/store.ts'

/** Ids of the records whose routes were found open, and were taken out of the proxy. */
export type Quarantined = () => Promise<ReadonlySet<number>>

export interface WireParts extends Omit<CertificateService, 'wire'> {
  readonly kept: Pick<Store, 'intent'>
  readonly quarantined: Quarantined
  readonly clock: Clock
  readonly log: Log
}

/** Null where it is not set where the proxy serves TLS. */
export function wireWatch(parts: WireParts): WireWatch | null {
  const { tls_address: address, probe, store, cert_resolver, kept, quarantined, clock, log } = parts
  if (address === null) return null
  return new WireWatch({
    address,
    probe,
    clock,
    log,
    async names() {
      // A route that is kept out has no router, and so perhaps no certificate.
      const out = await quarantined()
      return (await kept.intent('released')).rows
        .filter(({ live, domain_id, fields: { ssl_enabled, service_type } }) => {
          return live && ssl_enabled && service_type !== 'manual' && !out.has(domain_id)
        })
        .map(({ domain_id, fields: { domain, service_type } }) => {
          return { domain_id, domain, internal: service_type === 'internal' }
        })
    },
    async expected(signal) {
      const [reading, views] = await Promise.all([store?.read(signal) ?? null, ours(parts, signal)])
      return expectations({ reading, views, cert_resolver: views === null ? null : cert_resolver })
    },
  })
}

/** Null where ours cannot be read: what is shown is judged without them, too. */
async function ours({ manager, kept }: WireParts, signal: AbortSignal) {
  if (manager === null) return []
  try {
    return await manager.list(await kept.intent('released'), signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}

const WRITTEN: ReadonlySet<string> = new Set(['routes', 'certificates', 'certificates-file'])

/** Whether a pass has written what decides over what is served. */
export const movesTheWire = ({ component, repaired }: Report): boolean =>
  repaired > 0 && WRITTEN.has(component)
