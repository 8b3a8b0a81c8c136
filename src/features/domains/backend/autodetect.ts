/** Finds out what a backend speaks, by a closed set of questions, and suggests a service type. Changes nothing. */
import { findDomain } from '../../../core/find-domain.ts'
import type { Reader } from '../../../core/shares.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { DomainRecord, ServiceType } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'
import { evidenceOf, pageOf, type ProbeName, type Seen } from './findings.ts'
import type { BackendPlace, BackendProbe, HttpQuestion, HttpSeen } from './probe/port.ts'
import type { BackendService } from './service.ts'
import { lookAtTransport } from './transport.ts'
import { vetted } from './vetted.ts'
import type { Evidence, Autodetected } from './views.ts'

export interface AutodetectRequest {
  /** Where pages are asked for; `/` when left out. */
  readonly path: string
}

const DESCRIPTIONS = ['/openapi.json', '/swagger.json', '/v3/api-docs', '/api/openapi.json']
const NOWHERE = '/plumbline-autodetect/no/such/page'

/** Throws `not_found`, `conflict` for a record without a backend, `rate_limited`. */
export async function autodetect(
  { store, backend: service }: Pick<Deps, 'store' | 'backend'>,
  domain_id: number,
  { path }: AutodetectRequest,
  { signal, reader }: { readonly signal: AbortSignal; readonly reader: Reader },
): Promise<Autodetected> {
  const record = await findDomain(store, domain_id)
  const { domain, service_type, backend_host, backend_port } = record
  if (backend_host === null || backend_port === null)
    throw new Failure('conflict', `${domain} has no backend to look at; set backend_host and backend_port.`)
  const base = { domain_id, domain, service_type }
  const backend = { host: backend_host, port: backend_port }
  return service.gate.pass(async () => {
    const found = await vetted(backend, service, signal)
    if (!found.ok) return { ...base, ...NOTHING_SEEN, not_probed_because: found.reason }
    return { ...base, ...(await detected(service, { record, place: found.place, path }, signal)) }
  }, reader)
}

const NOTHING_SEEN = { suggestion: null, agrees: null, evidence: [], notes: [], backend_transport: null }

type Detected = Omit<Autodetected, 'domain_id' | 'domain' | 'service_type'>

interface Probed extends AutodetectRequest {
  readonly record: DomainRecord
  readonly place: BackendPlace
}

async function detected(service: BackendService, probed: Probed, signal: AbortSignal): Promise<Detected> {
  const { probe, authorities } = service
  const { record, place, path } = probed
  const seen = await ask(probe, place, path, signal)
  const evidence = evidenceOf(seen)
  const suggestion = suggestionOf(seen, evidence)
  const question = { record, place, authorities, http: seen.http }
  const backend_transport = seen.http === null ? null : await lookAtTransport(probe, question, signal)
  return {
    suggestion,
    agrees: suggestion && suggestion.service_type === record.service_type,
    evidence,
    not_probed_because: null,
    notes: backend_transport?.works === false ? [backend_transport.detail] : [],
    backend_transport,
  }
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
  const get: Get = (question) => probe.get(place, question, signal)
  const [http, https] = await Promise.all([get({ tls: false, path }), get({ tls: true, path })])
  const first = { ...nothing, connected, http, https }
  const page = pageOf(first)
  return page === null ? first : { ...first, ...(await askBesidePage(get, path, page === https)) }
}

type Get = (question: HttpQuestion) => Promise<HttpSeen>

/** What tells one kind of HTTP from another. */
async function askBesidePage(
  get: Get,
  path: string,
  tls: boolean,
): Promise<Pick<Seen, 'websocket' | 'nowhere' | 'descriptions'>> {
  const [websocket, nowhere, ...described] = await Promise.all([
    get({ tls, path, upgrade: true }),
    get({ tls, path: NOWHERE }),
    ...DESCRIPTIONS.map((one) => get({ tls, path: one })),
  ])
  const descriptions = DESCRIPTIONS.map((one, i) => ({ path: one, seen: described[i]! }))
  return { websocket, nowhere, descriptions }
}

// From evidence to a suggestion. Pure. The first line that holds wins:
//
//   nothing listens                              nothing is suggested
//   it speaks first, or takes no HTTP            tcp-proxy
//   an API description                           api
//   the upgrade is taken, the page is no page    websocket
//   the same empty page for any path             spa
//   JSON at the root                             api
//   like a file server                           static
//   any HTTP                                     http

type Suggestion = NonNullable<Autodetected['suggestion']>
type Page = NonNullable<ReturnType<typeof pageOf>>

function suggestionOf(seen: Seen, evidence: readonly Evidence[]): Suggestion | null {
  const { connected } = seen
  if (!connected.ok) return null
  const page = pageOf(seen)
  return page === null ? tcpBy(connected.greeting) : httpBy(page, evidence)
}

function tcpBy(greeting: string): Suggestion {
  const tcp = { service_type: 'tcp-proxy', protocol: 'tcp' } as const
  return greeting !== ''
    ? { ...tcp, confidence: 0.9, because: 'It speaks first, and takes no HTTP.' }
    : { ...tcp, confidence: 0.6, because: 'The port is open, and takes no HTTP.' }
}

function httpBy({ status, headers }: Page, evidence: readonly Evidence[]): Suggestion {
  const found = (probe: ProbeName) => evidence.find((one) => one.probe === probe)?.found ?? null
  const content_type = headers['content-type'] ?? ''
  const is_page = status === 200 && /text\/html/i.test(content_type)
  if (found('api_description') === true) return http('api', 0.9, 'It describes itself as an API.')
  if (found('websocket') === true && !is_page)
    return http('websocket', 0.9, 'It takes WebSockets, and shows no page beside them.')
  if (found('spa') === true) return http('spa', 0.9, 'One page for every path, filled by scripts.')
  if (/^application\/(?:[a-z.-]+\+)?json/i.test(content_type))
    return http('api', 0.7, 'It answers JSON at its root.')
  if (found('static') === true) return http('static', 0.7, 'It answers like a file server.')
  if (found('spa') === null && is_page) return http('spa', 0.5, 'A page that is filled by scripts.')
  return http('http', is_page ? 0.7 : 0.5, 'It speaks HTTP, and nothing says more.')
}

const http = (service_type: ServiceType, confidence: number, because: string): Suggestion => ({
  service_type,
  protocol: 'http',
  confidence,
  because,
})
