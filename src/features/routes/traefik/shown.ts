/** Pure: from Traefik's words to the port's. Names become full, texts bounded, and addresses lose what may be a password. */
import type {
  ProxyEntrypoint,
  ProxyFault,
  ProxyMiddleware,
  ProxyRouter,
  ProxyService,
  ProxyStatus,
} from './port.ts'
import type { WireEntrypoint, WireFaulty, WireMiddleware, WireRouter, WireService } from './wire.ts'

export const routerOf = (kind: 'http' | 'tcp', wire: WireRouter): ProxyRouter => {
  const named = wire.entryPoints ?? []
  return {
    kind,
    ...objectOf(wire),
    rule: wire.rule,
    entrypoints: named.length > 0 ? named : (wire.using ?? []),
    middlewares: (wire.middlewares ?? []).map((name) => fullName(name, wire)),
    service: wire.service === '' ? '' : fullName(wire.service, wire),
    tls: wire.tls !== null && wire.tls !== undefined,
    cert_resolver: wire.tls?.certResolver || null,
    ...(wire.tls?.options && wire.tls.options !== 'default' ? { tls_options: wire.tls.options } : {}),
    ...(wire.tls?.passthrough === true && { passes_tls: true }),
    priority: priorityOf(wire),
  }
}

export const middlewareOf = (wire: WireMiddleware): ProxyMiddleware => ({
  ...objectOf(wire),
  type: TYPES.get(wire.type.toLowerCase()) ?? wire.type,
  members: (wire.chain?.middlewares ?? []).map((name) => fullName(name, wire)),
  forward_auth_address: wire.forwardAuth?.address ? withoutSecrets(wire.forwardAuth.address) : null,
  // Left out it is half believed, depending on the version.
  forward_auth_believes:
    wire.forwardAuth !== null &&
    wire.forwardAuth !== undefined &&
    wire.forwardAuth.trustForwardHeader !== false,
  ...knownConfig(wire),
})

/** Names of ours but those of the operator's catalogue, which may hold passwords. */
const WITH_CONFIG = /^plumbline-(?!extra-)/

function knownConfig(wire: WireMiddleware): Pick<ProxyMiddleware, 'config'> {
  const type = TYPES.get(wire.type.toLowerCase()) ?? wire.type
  // Of others only that which is a scheme and a port.
  if (!WITH_CONFIG.test(wire.name) && type !== 'redirectScheme') return {}
  const config = wire[type]
  return typeof config === 'object' && config !== null
    ? { config: config as Readonly<Record<string, unknown>> }
    : {}
}

export function serviceOf(kind: 'http' | 'tcp', wire: WireService): ProxyService {
  const balancer = wire.loadBalancer
  const servers = balancer?.servers ?? []
  const checks = balancer?.healthCheck !== null && balancer?.healthCheck !== undefined
  const health = Object.entries(wire.serverStatus ?? {}).map(([address, says]) => [
    withoutSecrets(address),
    says,
  ])
  return {
    kind,
    ...objectOf(wire),
    addresses: servers.map(({ url, address }) => withoutSecrets(url ?? address ?? '')),
    // Without a check of its own the proxy calls every server UP.
    health: checks ? (Object.fromEntries(health) as Readonly<Record<string, string>>) : null,
  }
}

export function faultOf(part: ProxyFault['part'], wire: WireFaulty): ProxyFault {
  const { name, status, errors } = objectOf(wire)
  return { part, name, status, errors, used_by: part === 'router' ? [name] : (wire.usedBy ?? []) }
}

export const entrypointOf = (wire: WireEntrypoint): ProxyEntrypoint => ({
  name: wire.name,
  address: wire.address,
  middlewares: wire.http?.middlewares ?? [],
  believes: wire.forwardedHeaders?.insecure === true ? EVERYBODY : (wire.forwardedHeaders?.trustedIPs ?? []),
  ...(isObject(wire.http?.tls) && { tls: wire.http.tls }),
  ...(wire.asDefault === true && { as_default: true }),
  ...(sendsAway(wire.http?.redirections) && { redirects: true }),
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** By a priority of its own it may stand behind routers, whose highest is a few thousand. */
function sendsAway(redirections: unknown): boolean {
  const entry = isObject(redirections) ? redirections['entryPoint'] : null
  if (!isObject(entry) || typeof entry['to'] !== 'string' || entry['to'] === '') return false
  const { priority } = entry
  return typeof priority !== 'number' || priority > BEFORE_ROUTERS
}
const BEFORE_ROUTERS = 10_000

const EVERYBODY = ['0.0.0.0/0', '::/0'] as const

/** The API tells types in lower case; these are their names in a configuration. */
const TYPES: ReadonlyMap<string, string> = new Map(
  [
    'addPrefix basicAuth buffering chain circuitBreaker compress contentType digestAuth encodedCharacters errors',
    'forwardAuth grpcWeb headers inFlightConn inFlightReq ipAllowList ipWhiteList passTLSClientCert plugin rateLimit',
    'redirectRegex redirectScheme replacePath replacePathRegex retry stripPrefix stripPrefixRegex',
  ]
    .flatMap((line) => line.split(' '))
    .map((type) => [type.toLowerCase(), type]),
)

interface WireObject {
  readonly name: string
  readonly provider: string
  readonly status: string
  readonly error?: readonly string[] | string | null | undefined
}

function objectOf(wire: WireObject) {
  const errors = typeof wire.error === 'string' ? [wire.error] : (wire.error ?? [])
  return {
    name: fullName(wire.name, wire),
    provider: providerOf(wire),
    status: statusOf(wire.status),
    errors: errors.slice(0, MAX_ERRORS).map(bounded),
  }
}

const STATUSES: readonly string[] = ['enabled', 'warning', 'disabled'] satisfies readonly ProxyStatus[]

/** A word that is not known is not taken for good. */
const statusOf = (word: string): ProxyStatus => (STATUSES.includes(word) ? (word as ProxyStatus) : 'warning')

const providerOf = ({ name, provider }: Pick<WireObject, 'name' | 'provider'>): string =>
  provider !== '' ? provider : name.slice(name.lastIndexOf('@') + 1)

/** A name without a provider is one of the same provider. */
const fullName = (name: string, owner: Pick<WireObject, 'name' | 'provider'>): string =>
  name.includes('@') ? name : `${name}@${providerOf(owner)}`

/** Zero stands for "by the length of the rule". What is beyond a number's digits is still above all others. */
function priorityOf({ priorityStr, priority }: WireRouter): number | null {
  const number = Number(priorityStr ?? priority ?? 0)
  return Number.isFinite(number) && number !== 0 ? number : null
}

const MAX_ERRORS = 5
const MAX_ERROR = 500

const bounded = (text: string): string => text.replace(CONTROLS, ' ').slice(0, MAX_ERROR)

/** These texts end up on terminals. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

/** Without user, password and query of a URL; anything else as it is. */
export function withoutSecrets(address: string): string {
  if (!/[@?#]/.test(address)) return bounded(address)
  // `user:pass@10.0.0.1` would be read as a URL with the scheme `user`.
  const url = address.includes('://') ? URL.parse(address) : null
  if (url === null) return bounded(address.replace(/^([^/]*\/\/)?[^/]*@/, '$1').replace(/[?#].*$/s, ''))
  return bounded(`${url.protocol}//${url.host}${url.pathname}`)
}
