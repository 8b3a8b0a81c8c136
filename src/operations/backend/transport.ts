/**
 * Whether the proxy can speak to a backend as its record says, and how it could: the scheme, and whom to trust. What the
 * proxy's host trusts is judged by what this host trusts.
 */
import { type BackendScheme, type BackendTls, schemeOf } from '../../model/backend-tls.ts'
import { type CertificateFault, isForName } from '../../model/certificate-text.ts'
import type { DomainFields } from '../../model/domain.ts'
import type { BackendPlace, BackendProbe, HttpSeen, TlsSeen } from '../../ports/backend-probe.ts'
import { isTlsHint } from './findings.ts'

export interface BackendTransport {
  /** Whether the proxy reaches it as the record says; null where that was not found out. */
  readonly works: boolean | null
  readonly speaks: BackendScheme | null
  /** What it shows over TLS, judged as the record says; null where it speaks none. */
  readonly certificate: {
    readonly fingerprint: string
    readonly names: readonly string[]
    readonly fault: CertificateFault | null
  } | null
  /** What a visitor meets and what would help, in sentences. */
  readonly detail: string
  /** What the record should say in place of what it says; null where nothing better is known. */
  readonly suggestion: Pick<DomainFields, 'backend_scheme' | 'backend_tls'> | null
}

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
  { record, place, authorities, http: asked }: TransportQuestion,
  signal: AbortSignal,
): Promise<BackendTransport | null> {
  if (record.protocol === 'tcp' || record.service_type === 'manual') return null
  const { backend_tls } = record
  const server_name = backend_tls?.server_name ?? place.name
  const roots = backend_tls?.pem ?? authorities.get(backend_tls?.ca_name ?? '') ?? null
  const [http, by_system, by_roots] = await Promise.all([
    asked ?? probe.get(place, { tls: false, path: '/' }, signal),
    probe.handshake(place, { server_name, roots: null }, signal),
    roots === null ? null : probe.handshake(place, { server_name, roots }, signal),
  ])
  const may_be_h2c = schemeOf(record) === 'h2c' || (!http.ok && /^(?:not_http|broke_off)$/.test(http.trouble))
  const h2c = may_be_h2c && !by_system.ok && (await probe.speaksH2c(place, signal))
  return transportOf(record, server_name, { http, tls: by_roots ?? by_system, by_system, h2c })
}

function transportOf(record: Said, server_name: string, seen: Seen): BackendTransport {
  const scheme = schemeOf(record)
  const insecure = record.backend_tls?.trust === 'insecure'
  const { tls } = seen
  const certificate = tls.ok ? { fingerprint: tls.fingerprint, names: tls.names, fault: tls.fault } : null
  const spoken = spokenBy(seen)
  const works =
    spoken.length === 0
      ? null
      : spoken.includes(scheme) && (scheme !== 'https' || insecure || certificate?.fault === null)
  const speaks = spoken.includes(scheme) ? scheme : (spoken[0] ?? null)
  const suggestion =
    speaks === null ? null : suggestionFor(record, speaks, { server_name, works, by_system: seen.by_system })
  const said = detailOf({ scheme, speaks, works, insecure, fault: certificate?.fault ?? null })
  const helps = suggestion === null ? '' : adviceOn(suggestion, seen.by_system)
  return { works, speaks, certificate, detail: said + helps, suggestion }
}

function spokenBy({ http, by_system, h2c }: Seen): readonly BackendScheme[] {
  const plain = http.ok && !isTlsHint(http)
  return [
    ...(plain ? (['http'] as const) : []),
    ...(by_system.ok ? (['https'] as const) : []),
    ...(h2c ? (['h2c'] as const) : []),
  ]
}

interface Facts {
  readonly server_name: string
  readonly works: boolean | null
  readonly by_system: TlsSeen
}

function suggestionFor(
  { backend_tls }: Said,
  speaks: BackendScheme,
  { server_name, works, by_system }: Facts,
): BackendTransport['suggestion'] {
  if (works === true && backend_tls?.trust !== 'insecure') return null
  if (speaks !== 'https' || !by_system.ok)
    return works === true ? null : { backend_scheme: speaks, backend_tls: null }
  const better = trustIn(by_system, { server_name, said: backend_tls?.server_name })
  return works === true && better?.trust === 'insecure'
    ? null
    : { backend_scheme: 'https', backend_tls: better }
}

interface Names {
  readonly server_name: string
  /** As the record says it already. */
  readonly said: string | undefined
}

/** The most that can be asked of this certificate; null for what the proxy's host trusts by itself. */
function trustIn(seen: Extract<TlsSeen, { ok: true }>, { server_name, said }: Names): BackendTls | null {
  const { fault, pem, fingerprint, names } = seen
  const other = said ?? (isForName(pem, server_name) ? undefined : names[0]?.replace(/^\*/, 'www'))
  const named = other === undefined ? {} : { server_name: other }
  switch (fault) {
    case null:
    case 'wrong_name': {
      const fit = fault === null ? named : { server_name: names[0]!.replace(/^\*/, 'www') }
      return 'server_name' in fit ? { trust: 'system', ...fit } : null
    }
    case 'untrusted':
      return { trust: 'certificate', fingerprint, ...named }
    case 'no_names':
    case 'expired':
    case 'not_yet_valid':
      return { trust: 'insecure' }
  }
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

function adviceOn(
  { backend_scheme, backend_tls }: NonNullable<BackendTransport['suggestion']>,
  seen: TlsSeen,
): string {
  const trust = backend_tls?.trust ?? 'system'
  if (backend_scheme !== 'https') return ` Set backend_scheme to ${backend_scheme}.`
  if (trust === 'system') return ' Its certificate is one that this host trusts.'
  if (trust === 'certificate')
    return (
      ' Its certificate can be trusted by itself: compare the fingerprint with the one that the backend shows of itself before you save it,' +
      ' or trust its authority (trust ca), which outlives the certificate.'
    )
  const why = seen.ok && seen.fault !== null ? FAULTS[seen.fault] : 'nothing speaks for it'
  return ` Only trust insecure reaches it as it is, because ${why}; better give it another certificate.`
}
