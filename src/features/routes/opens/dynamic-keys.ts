/**
 * All that a file of Traefik's file provider may say (3.7), as kinds of values. Also keys that it still reads and that do
 * nothing any more: they refuse no file. Source: Traefik's dynamic configuration, `pkg/config/dynamic`.
 */
import { type Keys, MIDDLEWARE_TYPES, type Scalar } from '../middlewares/middleware-types.ts'

export type Kind =
  | { readonly kind: 'text' | 'whole' | 'flag' | 'span' | 'anything' }
  | { readonly kind: 'list'; readonly of: Kind }
  | { readonly kind: 'named'; readonly of: Kind }
  | { readonly kind: 'keys'; readonly keys: KeyKinds; readonly may_be_empty: boolean }

export type KeyKinds = ReadonlyMap<string, Kind>

const TEXT: Kind = { kind: 'text' }
const WHOLE: Kind = { kind: 'whole' }
const FLAG: Kind = { kind: 'flag' }
const SPAN: Kind = { kind: 'span' }
const listOf = (of: Kind): Kind => ({ kind: 'list', of })
const named = (of: Kind): Kind => ({ kind: 'named', of })
const TEXTS = listOf(TEXT)

type Parts = Readonly<Record<string, Kind>>
const keys = (parts: Parts): Kind => ({
  kind: 'keys',
  keys: new Map(Object.entries(parts)),
  may_be_empty: false,
})
/** `{}` stands for its defaults. */
const optional = (parts: Parts): Kind => ({ ...(keys(parts) as Kind & { kind: 'keys' }), may_be_empty: true })

/** The same kind under several names. */
const each = (kind: Kind, names: string): Parts =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]))

const SCALARS: Readonly<Record<Scalar, Kind>> = {
  text: TEXT,
  whole: WHOLE,
  flag: FLAG,
  span: SPAN,
  texts: TEXTS,
  headers: named(TEXT),
  statuses: named(WHOLE),
  anything: { kind: 'anything' },
}

/** Of middlewares and their parts, those whose `{}` stands for their defaults. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  'compress',
  'contentType',
  'ipAllowList.ipStrategy',
  'ipWhiteList.ipStrategy',
])

/** Read, and without effect. */
const WITHOUT_EFFECT: Readonly<Record<string, Parts>> = {
  headers: {
    ...each(FLAG, 'sslRedirect sslTemporaryRedirect sslForceHost'),
    ...each(TEXT, 'sslHost featurePolicy'),
  },
  stripPrefix: { forceSlash: FLAG },
  'forwardAuth.tls': { caOptional: FLAG },
}

/** @param path such as `ipAllowList.ipStrategy` */
function kindOf(path: string, of: Scalar | Keys): Kind {
  if (typeof of === 'string') return SCALARS[of]
  const parts = Object.fromEntries(
    Object.entries(of).map(([inner, one]) => [inner, kindOf(`${path}.${inner}`, one)]),
  )
  const all = { ...parts, ...WITHOUT_EFFECT[path] }
  return MAY_BE_EMPTY.has(path) ? optional(all) : keys(all)
}

const HTTP_MIDDLEWARE = keys({
  ...Object.fromEntries(Object.entries(MIDDLEWARE_TYPES).map(([type, of]) => [type, kindOf(type, of)])),
  plugin: named({ kind: 'anything' }),
})

const DOMAINS = listOf(keys({ main: TEXT, sans: TEXTS }))
const ROUTER_TLS = { ...each(TEXT, 'options certResolver'), domains: DOMAINS }
const STICKY = {
  cookie: optional({
    ...each(TEXT, 'name sameSite path domain'),
    ...each(FLAG, 'secure httpOnly'),
    maxAge: WHOLE,
  }),
}
const HEALTH_CHECKED = { healthCheck: optional({}) }
const SHARES = listOf(keys({ name: TEXT, weight: WHOLE }))
const CERTIFICATES = listOf(keys(each(TEXT, 'certFile keyFile')))
const SPIFFE = optional({ ids: TEXTS, trustDomain: TEXT })
const PROXY_PROTOCOL = optional({ version: WHOLE })

const OBSERVABILITY = keys({ ...each(FLAG, 'accessLogs metrics tracing'), traceVerbosity: TEXT })

const HTTP_ROUTER = keys({
  ...each(TEXT, 'rule service ruleSyntax'),
  ...each(TEXTS, 'entryPoints middlewares parentRefs'),
  priority: WHOLE,
  tls: optional(ROUTER_TLS),
  observability: OBSERVABILITY,
})

/** What entry points give their routers: made by the proxy itself, and read from a file all the same. */
const HTTP_MODEL = keys({ middlewares: TEXTS, tls: optional(ROUTER_TLS), observability: OBSERVABILITY })

const HTTP_BALANCER = keys({
  servers: listOf(keys({ url: TEXT, weight: WHOLE, preservePath: FLAG })),
  ...each(TEXT, 'strategy serversTransport'),
  passHostHeader: FLAG,
  sticky: optional(STICKY),
  healthCheck: keys({
    ...each(TEXT, 'path scheme mode method hostname'),
    ...each(WHOLE, 'port status'),
    ...each(SPAN, 'interval unhealthyInterval timeout'),
    followRedirects: FLAG,
    headers: named(TEXT),
  }),
  passiveHealthCheck: keys({ failureWindow: SPAN, maxFailedAttempts: WHOLE }),
  responseForwarding: keys({ flushInterval: SPAN }),
})

const HTTP_SERVICE = keys({
  loadBalancer: HTTP_BALANCER,
  weighted: keys({ services: SHARES, sticky: keys(STICKY), ...HEALTH_CHECKED }),
  highestRandomWeight: keys({ services: SHARES, ...HEALTH_CHECKED }),
  mirroring: keys({
    service: TEXT,
    mirrors: listOf(keys({ name: TEXT, percent: WHOLE })),
    mirrorBody: FLAG,
    maxBodySize: WHOLE,
    ...HEALTH_CHECKED,
  }),
  failover: keys({
    ...each(TEXT, 'service fallback'),
    errors: keys({ status: TEXTS, maxRequestBodyBytes: WHOLE }),
    ...HEALTH_CHECKED,
  }),
  middlewares: TEXTS,
})

const HTTP_TRANSPORT = keys({
  ...each(TEXT, 'serverName peerCertURI minVersion maxVersion'),
  ...each(FLAG, 'insecureSkipVerify disableHTTP2'),
  ...each(TEXTS, 'rootCAs cipherSuites'),
  certificates: CERTIFICATES,
  maxIdleConnsPerHost: WHOLE,
  forwardingTimeouts: keys(
    each(
      SPAN,
      'dialTimeout responseHeaderTimeout idleConnTimeout readIdleTimeout pingTimeout readTimeout writeTimeout',
    ),
  ),
  spiffe: SPIFFE,
})

const TCP_ROUTER = keys({
  ...each(TEXT, 'rule service ruleSyntax'),
  ...each(TEXTS, 'entryPoints middlewares'),
  priority: WHOLE,
  tls: optional({ ...ROUTER_TLS, passthrough: FLAG }),
})

const TCP_SERVICE = keys({
  loadBalancer: keys({
    servers: listOf(keys({ ...each(TEXT, 'address port'), tls: FLAG })),
    serversTransport: TEXT,
    terminationDelay: WHOLE,
    proxyProtocol: PROXY_PROTOCOL,
    healthCheck: optional({
      ...each(TEXT, 'send expect'),
      port: WHOLE,
      ...each(SPAN, 'interval unhealthyInterval timeout'),
    }),
  }),
  weighted: keys({ services: SHARES, ...HEALTH_CHECKED }),
})

const TCP_TRANSPORT = keys({
  ...each(SPAN, 'dialTimeout dialKeepAlive terminationDelay'),
  proxyProtocol: PROXY_PROTOCOL,
  tls: optional({
    ...each(TEXT, 'serverName peerCertURI'),
    insecureSkipVerify: FLAG,
    rootCAs: TEXTS,
    certificates: CERTIFICATES,
    spiffe: SPIFFE,
  }),
})

const TCP_MIDDLEWARE = keys({
  inFlightConn: keys({ amount: WHOLE }),
  ipAllowList: keys({ sourceRange: TEXTS }),
  ipWhiteList: keys({ sourceRange: TEXTS }),
})

const TLS_OPTIONS = keys({
  ...each(TEXT, 'minVersion maxVersion'),
  ...each(TEXTS, 'cipherSuites curvePreferences alpnProtocols'),
  ...each(FLAG, 'sniStrict preferServerCipherSuites disableSessionTickets'),
  clientAuth: keys({ caFiles: TEXTS, clientAuthType: TEXT }),
})

const TLS_STORE = keys({
  defaultCertificate: keys(each(TEXT, 'certFile keyFile')),
  defaultGeneratedCert: keys({ resolver: TEXT, domain: keys({ main: TEXT, sans: TEXTS }) }),
})

/** Whether a version, `3.7.9`, knows no other keys than those; one without numbers is taken for no later one. */
export function knowsAllKeys(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return major === undefined || Number(major) < 3 || (major === '3' && Number(minor) <= NEWEST_MINOR)
}

const NEWEST_MINOR = 7

/** Other keys at the root are overlooked. */
export const ROOT_KEYS: KeyKinds = new Map(
  Object.entries({
    http: keys({
      routers: named(HTTP_ROUTER),
      services: named(HTTP_SERVICE),
      middlewares: named(HTTP_MIDDLEWARE),
      models: named(HTTP_MODEL),
      serversTransports: named(HTTP_TRANSPORT),
    }),
    tcp: keys({
      routers: named(TCP_ROUTER),
      services: named(TCP_SERVICE),
      middlewares: named(TCP_MIDDLEWARE),
      serversTransports: named(TCP_TRANSPORT),
    }),
    udp: keys({
      routers: named(keys({ entryPoints: TEXTS, service: TEXT })),
      services: named(
        keys({
          loadBalancer: keys({ servers: listOf(keys({ address: TEXT })) }),
          weighted: keys({ services: SHARES }),
        }),
      ),
    }),
    tls: keys({
      certificates: listOf(keys({ ...each(TEXT, 'certFile keyFile'), stores: TEXTS })),
      options: named(TLS_OPTIONS),
      stores: named(TLS_STORE),
    }),
  }),
)
