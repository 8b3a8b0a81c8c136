/** What the proxy has counted of a domain: requests, and how many of them ended in a server error. Unknown is not zero. */
import { findDomain } from '../../../core/find-domain.ts'
import { type Instant, isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { IntentRow } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { roleMark } from '../render/names.ts'
import type { ProxyTraffic } from '../traefik/port.ts'
import type { DomainTraffic } from '../views.ts'

type DomainCounts = Omit<DomainTraffic, 'domain_id' | 'domain'>

/** Throws `not_found`. */
export async function domainTraffic(
  deps: Deps,
  domain_id: number,
  signal: AbortSignal,
): Promise<DomainTraffic> {
  const { domain } = await findDomain(deps.store, domain_id)
  const { rows } = await deps.store.intent('released')
  const row = rows.find((one) => one.domain_id === domain_id && one.live)
  return { domain_id, domain, ...(await countsOf(deps, row, signal)) }
}

async function countsOf(
  { proxy }: Pick<Deps, 'proxy'>,
  row: IntentRow | undefined,
  signal: AbortSignal,
): Promise<DomainCounts> {
  const { readTraffic } = proxy
  if (readTraffic === null) return unknown(false, 'PLUMBLINE_TRAEFIK_METRICS is not set.')
  if (row === undefined) return unknown(true, 'It is not deployed, so the proxy counts nothing of it.')
  if (row.fields.protocol === 'tcp') return unknown(true, 'Of TCP routes the proxy counts no requests.')
  try {
    return countedIn(await readTraffic(signal), row.fields.domain)
  } catch (error) {
    if (!(error instanceof Failure) || signal.aborted) throw error
    return unknown(true, error.message)
  }
}

/** The same service may come by a file and over HTTP: of a name all providers count. */
function countedIn({ at, services, since }: ProxyTraffic, domain: string): DomainCounts {
  if (services === null) return { ...unknown(true, NOTHING_COUNTED, at), since: isoTimeOrNull(since) }
  const name = `${roleMark('site')}${domain}@`
  let [requests, server_errors] = [0, 0]
  for (const [service, count] of services) {
    if (!service.startsWith(name)) continue
    if (count === null) return unknown(true, 'What the proxy shows of it is no count.', at)
    requests += count.requests
    server_errors += count.server_errors
  }
  const known = { configured: true, requests, server_errors, detail: null }
  return { ...known, since: isoTimeOrNull(since), observed_at: isoTime(at) }
}

const NOTHING_COUNTED =
  'The proxy counts no service yet: nothing was asked of it since it started, or metrics.prometheus.addServicesLabels is off.'

const unknown = (configured: boolean, detail: string, at: Instant | null = null): DomainCounts => ({
  configured,
  requests: null,
  server_errors: null,
  since: null,
  observed_at: isoTimeOrNull(at),
  detail,
})
