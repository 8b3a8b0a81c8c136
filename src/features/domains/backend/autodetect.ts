/** Finds out what a backend speaks, by a closed set of questions, and suggests a service type. Changes nothing. */
import { Failure } from '../../../kernel/failure.ts'
import type { ServiceType } from '../../../model/domain/record.ts'
import type { BackendPlace, BackendProbe, HttpQuestion, HttpSeen } from './probe/port.ts'
import type { Deps } from '../deps.ts'
import { findDomain } from '../../../core/find-domain.ts'
import { type Evidence, evidenceOf, pageOf, type Seen } from './findings.ts'
import { type Suggestion, suggestionOf } from './suggest.ts'
import { type BackendTransport, lookAtTransport } from './transport.ts'
import { type Unfit, vetted } from './vetted.ts'

export interface Autodetected {
  readonly domain_id: number
  readonly domain: string
  readonly service_type: ServiceType
  /** Null where nothing is suggested: nobody answered, or the place is not one to be probed. */
  readonly suggestion: Suggestion | null
  /** Whether the record says already what is suggested; null without a suggestion. */
  readonly agrees: boolean | null
  readonly evidence: readonly Evidence[]
  readonly not_probed_because: Unfit | null
  readonly notes: readonly string[]
  /** How the proxy speaks to it; null where nobody answers, or not by HTTP. */
  readonly backend_transport: BackendTransport | null
}

export interface AutodetectRequest {
  /** Where pages are asked for; `/` when left out. */
  readonly path: string
}

const DESCRIPTIONS = ['/openapi.json', '/swagger.json', '/v3/api-docs', '/api/openapi.json']
const NOWHERE = '/plumbline-autodetect/no/such/page'

/** Throws `not_found`, `conflict` for a record without a backend, `rate_limited`. */
export async function autodetect(
  { store, backend: desk }: Pick<Deps, 'store' | 'backend'>,
  domain_id: number,
  { path }: AutodetectRequest,
  signal: AbortSignal,
): Promise<Autodetected> {
  const record = await findDomain(store, domain_id)
  const { domain, service_type, backend_host, backend_port } = record
  if (backend_host === null || backend_port === null)
    throw new Failure('conflict', `${domain} has no backend to look at; set backend_host and backend_port.`)
  const base = { domain_id, domain, service_type }
  const backend = { host: backend_host, port: backend_port }
  return desk.gate.pass(async () => {
    const found = await vetted(backend, desk, signal)
    if (!found.ok) {
      const nothing = { suggestion: null, agrees: null, evidence: [], notes: [], backend_transport: null }
      return { ...base, ...nothing, not_probed_because: found.reason }
    }
    const seen = await ask(desk.probe, found.place, path, signal)
    const evidence = evidenceOf(seen)
    const suggestion = suggestionOf(seen, evidence)
    const question = { record, place: found.place, authorities: desk.authorities, http: seen.http }
    const backend_transport = seen.http === null ? null : await lookAtTransport(desk.probe, question, signal)
    const agrees = suggestion && suggestion.service_type === service_type
    return {
      ...base,
      suggestion,
      agrees,
      evidence,
      not_probed_because: null,
      notes: backend_transport?.works === false ? [backend_transport.detail] : [],
      backend_transport,
    }
  })
}

/** At most three rounds, each within the probe's own two seconds; a port that takes no HTTP is asked no further. */
async function ask(
  probe: BackendProbe,
  place: BackendPlace,
  path: string,
  signal: AbortSignal,
): Promise<Seen> {
  const connected = await probe.connect(place, signal)
  const nothing = { http: null, https: null, websocket: null, descriptions: [], nowhere: null }
  if (!connected.ok || connected.greeting !== '') return { connected, ...nothing }
  const get = (question: HttpQuestion): Promise<HttpSeen> => probe.get(place, question, signal)
  const [http, https] = await Promise.all([get({ tls: false, path }), get({ tls: true, path })])
  const first = { ...nothing, connected, http, https }
  const page = pageOf(first)
  if (page === null) return first
  const tls = page === https
  const [websocket, nowhere, ...described] = await Promise.all([
    get({ tls, path, upgrade: true }),
    get({ tls, path: NOWHERE }),
    ...DESCRIPTIONS.map((one) => get({ tls, path: one })),
  ])
  const descriptions = DESCRIPTIONS.map((one, i) => ({ path: one, seen: described[i]! }))
  return { ...first, websocket, nowhere, descriptions }
}
