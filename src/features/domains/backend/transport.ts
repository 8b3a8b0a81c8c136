/**
 * Whether the proxy can speak to a backend as its record says, and how it could: the scheme, and whom to trust. What the
 * proxy's host trusts is judged by what this host trusts.
 */
import { type BackendScheme, type BackendTls, schemeOf } from '../../../model/domain/backend-tls.ts'
import type { CertificateFault } from '../../../model/network/certificate-text.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { BackendPlace, BackendProbe, HttpSeen, TlsSeen } from './probe/port.ts'
import { isTlsHint } from './findings.ts'
import { gentlestTrust, type Shown } from './trust.ts'
import type { BackendTransport } from './views.ts'

type Said = Pick<
  DomainFields,
  'backend_scheme' | 'backend_tls' | 'backend_port' | 'protocol' | 'service_type'
>

export interface TransportQuestion {
  readonly record: Said
  readonly place: BackendPlace
  /** By the name that a record says. */
  readonly authorities: ReadonlyMap<string, string>
  /** Plain HTTP, where it was asked already. */
  readonly http: HttpSeen | null
}

interface Seen {
  readonly http: HttpSeen
  /** By what the record trusts. */
  readonly tls: TlsSeen
  /** By what this host trusts. */
  readonly by_system: TlsSeen
  readonly h2c: boolean
}

/** Null for a record whose backend is not spoken HTTP to. Throws only the signal's reason. */
export async function lookAtTransport(
  probe: BackendProbe,
  question: TransportQuestion,
  signal: AbortSignal,
): Promise<BackendTransport | null> {
  const { record, place, authorities } = question
  if (record.protocol === 'tcp' || record.service_type === 'manual') return null
  const seen = await seenAt(probe, question, signal)
  const gentlest = (shown: Shown) =>
    gentlestTrust(probe, { place, said: record.backend_tls, by_system: shown, authorities }, signal)
  return transportOf(record, seen, gentlest)
}

async function seenAt(
  probe: BackendProbe,
  { record, place, authorities, http: asked }: TransportQuestion,
  signal: AbortSignal,
): Promise<Seen> {
  const { backend_tls } = record
  const server_name = backend_tls?.server_name ?? place.name
  const roots = backend_tls?.pem ?? authorities.get(backend_tls?.ca_name ?? '') ?? null
  const [http, by_system, by_roots] = await Promise.all([
    asked ?? probe.get(place, { tls: false, path: '/' }, signal),
    probe.handshake(place, { server_name, roots: null }, signal),
    roots === null ? null : probe.handshake(place, { server_name, roots }, signal),
  ])
  const may_be_h2c = schemeOf(record) === 'h2c' || (!http.ok && /^(?:not_http|broke_off)$/.test(http.failure))
  const h2c = may_be_h2c && !by_system.ok && (await probe.speaksH2c(place, signal))
  return { http, tls: by_roots ?? by_system, by_system, h2c }
}

type Gentlest = (shown: Shown) => Promise<BackendTls | null>

async function transportOf(record: Said, seen: Seen, gentlest: Gentlest): Promise<BackendTransport> {
  const scheme = schemeOf(record)
  const insecure = record.backend_tls?.trust === 'insecure'
  const { tls } = seen
  const certificate = tls.ok ? shownOf(tls) : null
  const spoken = spokenBy(seen)
  const works =
    spoken.length === 0
      ? null
      : spoken.includes(scheme) && (scheme !== 'https' || insecure || certificate?.fault === null)
  const speaks = spoken.includes(scheme) ? scheme : (spoken[0] ?? null)
  const suggestion =
    speaks === null
      ? null
      : await suggestionFor(record, speaks, { works, by_system: seen.by_system, gentlest })
  const said = detailOf({ scheme, speaks, works, insecure, fault: certificate?.fault ?? null })
  const helps = suggestion === null ? '' : adviceOn(suggestion, seen.by_system)
  return { works, speaks, certificate, detail: said + helps, suggestion }
}

const MAX_NAMES = 50

/** Whoever answers there chose the names, and how many they are. */
const shownOf = ({ fingerprint, names, fault }: Shown): BackendTransport['certificate'] => ({
  fingerprint,
  names: names.slice(0, MAX_NAMES),
  more_names: Math.max(0, names.length - MAX_NAMES),
  fault,
})

function spokenBy({ http, by_system, h2c }: Seen): readonly BackendScheme[] {
  const plain = http.ok && !isTlsHint(http)
  return [
    ...(plain ? (['http'] as const) : []),
    ...(by_system.ok ? (['https'] as const) : []),
    ...(h2c ? (['h2c'] as const) : []),
  ]
}

interface Facts {
  readonly works: boolean | null
  readonly by_system: TlsSeen
  readonly gentlest: Gentlest
}

async function suggestionFor(
  { backend_tls }: Said,
  speaks: BackendScheme,
  { works, by_system, gentlest }: Facts,
): Promise<BackendTransport['suggestion']> {
  if (works === true && backend_tls?.trust !== 'insecure') return null
  if (speaks !== 'https' || !by_system.ok)
    return works === true ? null : { backend_scheme: speaks, backend_tls: null }
  const better = await gentlest(by_system)
  return works === true && better?.trust === 'insecure'
    ? null
    : { backend_scheme: 'https', backend_tls: better }
}

const FAULTS: Readonly<Record<CertificateFault, string>> = {
  untrusted: 'its certificate is of nobody whom the record trusts',
  expired: 'its certificate has expired',
  not_yet_valid: 'its certificate is not valid yet',
  wrong_name: 'its certificate is for another name',
  no_names: 'its certificate has no name (no subjectAltName)',
}

interface Met {
  readonly scheme: BackendScheme
  readonly speaks: BackendScheme | null
  readonly works: boolean | null
  readonly insecure: boolean
  readonly fault: CertificateFault | null
}

const SPOKEN = { http: 'plain HTTP', https: 'TLS', h2c: 'HTTP/2 without TLS' } as const

function detailOf({ scheme, speaks, works, insecure, fault }: Met): string {
  if (speaks === null) return 'It answers neither HTTP nor TLS.'
  if (speaks !== scheme)
    return `It speaks ${SPOKEN[speaks]}, and the proxy speaks ${SPOKEN[scheme]} to it: visitors get an error (400, 500 or 502).`
  if (works === true)
    return insecure
      ? 'The proxy reaches it over https, and looks at no certificate (insecure): whoever stands in between can be it.'
      : `The proxy reaches it over ${scheme}.`
  return `The proxy refuses it, because ${FAULTS[fault ?? 'untrusted']}: visitors get 500.`
}

const nameAdvice = (server_name: string): string =>
  ` It is for ${server_name}: make that its server_name, if it is the backend's.`
const CERTIFICATE_ADVICE =
  ' Its certificate can be trusted by itself: compare the fingerprint with the one that the backend shows of itself before you save it,' +
  ' or trust its authority (trust ca), which outlives the certificate.'

function adviceOn(
  { backend_scheme, backend_tls }: NonNullable<BackendTransport['suggestion']>,
  seen: TlsSeen,
): string {
  const trust = backend_tls?.trust ?? 'system'
  if (backend_scheme !== 'https') return ` Set backend_scheme to ${backend_scheme}.`
  const { server_name, ca_name } = backend_tls ?? {}
  const name = server_name === undefined ? '' : nameAdvice(server_name)
  if (trust === 'system') return ` Its certificate is one that this host trusts.${name}`
  if (trust === 'ca')
    return ` Its certificate is of ${ca_name === undefined ? 'the authority of the record' : `the authority "${ca_name}" of PLUMBLINE_BACKEND_CA_DIR`}.${name}`
  if (trust === 'certificate') return CERTIFICATE_ADVICE
  const why = seen.ok && seen.fault !== null ? FAULTS[seen.fault] : 'nothing speaks for it'
  return ` Only trust insecure reaches it as it is, because ${why}; better give it another certificate.`
}
