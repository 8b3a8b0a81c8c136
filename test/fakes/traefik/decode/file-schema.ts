/** All that a file of the file provider may say below its root (reference, §1.1; version 3.7). */
import { DOMAINS, HTTP_MIDDLEWARES, TCP_MIDDLEWARES } from './middleware-schema.ts'
import {
  DURATION,
  fields,
  FILE,
  FLAG,
  type Fields,
  type Kind,
  listOf,
  mapOf,
  struct,
  switchable,
  TEXT,
  TEXTS,
  WHOLE,
} from './schema.ts'

const ROUTER_TLS = { options: TEXT, certResolver: TEXT, domains: DOMAINS }
const COOKIE = switchable({
  ...fields(TEXT, 'name', 'sameSite', 'path', 'domain'),
  ...fields(FLAG, 'secure', 'httpOnly'),
  maxAge: WHOLE,
})
const STICKY = { cookie: COOKIE }
const NOTHING = switchable({})
const WEIGHTED = listOf(struct({ name: TEXT, weight: WHOLE }))
const SPIFFE = switchable({ ids: TEXTS, trustDomain: TEXT })
const CLIENT_CERTIFICATES = listOf(struct({ certFile: FILE, keyFile: FILE }))

const OBSERVABILITY = struct({ ...fields(FLAG, 'accessLogs', 'metrics', 'tracing'), traceVerbosity: TEXT })

const HTTP_ROUTER = struct({
  ...fields(TEXTS, 'entryPoints', 'middlewares', 'parentRefs'),
  ...fields(TEXT, 'service', 'rule', 'ruleSyntax'),
  priority: WHOLE,
  tls: switchable(ROUTER_TLS),
  observability: OBSERVABILITY,
})

const HTTP_SERVICE = struct({
  loadBalancer: struct({
    servers: listOf(struct({ url: TEXT, weight: WHOLE, preservePath: FLAG })),
    passHostHeader: FLAG,
    strategy: TEXT,
    sticky: switchable(STICKY),
    healthCheck: struct({
      ...fields(TEXT, 'path', 'scheme', 'mode', 'method', 'hostname'),
      ...fields(WHOLE, 'port', 'status'),
      ...fields(DURATION, 'interval', 'unhealthyInterval', 'timeout'),
      followRedirects: FLAG,
      headers: mapOf(TEXT),
    }),
    passiveHealthCheck: struct({ failureWindow: DURATION, maxFailedAttempts: WHOLE }),
    responseForwarding: struct({ flushInterval: DURATION }),
    serversTransport: TEXT,
  }),
  weighted: struct({ services: WEIGHTED, sticky: struct(STICKY), healthCheck: NOTHING }),
  highestRandomWeight: struct({ services: WEIGHTED, healthCheck: NOTHING }),
  mirroring: struct({
    service: TEXT,
    mirrors: listOf(struct({ name: TEXT, percent: WHOLE })),
    mirrorBody: FLAG,
    maxBodySize: WHOLE,
    healthCheck: NOTHING,
  }),
  failover: struct({
    service: TEXT,
    fallback: TEXT,
    errors: struct({ status: TEXTS, maxRequestBodyBytes: WHOLE }),
    healthCheck: NOTHING,
  }),
  middlewares: TEXTS,
})

const HTTP_TRANSPORT = struct({
  ...fields(TEXT, 'serverName', 'peerCertURI', 'minVersion', 'maxVersion'),
  ...fields(FLAG, 'insecureSkipVerify', 'disableHTTP2'),
  rootCAs: listOf(FILE),
  cipherSuites: TEXTS,
  certificates: CLIENT_CERTIFICATES,
  maxIdleConnsPerHost: WHOLE,
  forwardingTimeouts: struct(
    fields(
      DURATION,
      'dialTimeout',
      'responseHeaderTimeout',
      'idleConnTimeout',
      'readIdleTimeout',
      'pingTimeout',
      'readTimeout',
      'writeTimeout',
    ),
  ),
  spiffe: SPIFFE,
})

const TCP_ROUTER = struct({
  ...fields(TEXTS, 'entryPoints', 'middlewares'),
  ...fields(TEXT, 'service', 'rule', 'ruleSyntax'),
  priority: WHOLE,
  tls: switchable({ ...ROUTER_TLS, passthrough: FLAG }),
})

const PROXY_PROTOCOL = switchable({ version: WHOLE })
const TCP_SERVICE = struct({
  loadBalancer: struct({
    servers: listOf(struct({ ...fields(TEXT, 'address', 'port'), tls: FLAG })),
    serversTransport: TEXT,
    proxyProtocol: PROXY_PROTOCOL,
    terminationDelay: WHOLE,
    healthCheck: switchable({
      ...fields(TEXT, 'send', 'expect'),
      port: WHOLE,
      ...fields(DURATION, 'interval', 'unhealthyInterval', 'timeout'),
    }),
  }),
  weighted: struct({ services: WEIGHTED, healthCheck: NOTHING }),
})

const TCP_TRANSPORT = struct({
  ...fields(DURATION, 'dialTimeout', 'dialKeepAlive', 'terminationDelay'),
  proxyProtocol: PROXY_PROTOCOL,
  tls: switchable({
    ...fields(TEXT, 'serverName', 'peerCertURI'),
    insecureSkipVerify: FLAG,
    rootCAs: listOf(FILE),
    certificates: CLIENT_CERTIFICATES,
    spiffe: SPIFFE,
  }),
})

const TLS_OPTIONS = struct({
  ...fields(TEXT, 'minVersion', 'maxVersion'),
  ...fields(TEXTS, 'cipherSuites', 'curvePreferences', 'alpnProtocols'),
  ...fields(FLAG, 'sniStrict', 'preferServerCipherSuites', 'disableSessionTickets'),
  clientAuth: struct({ caFiles: listOf(FILE), clientAuthType: TEXT }),
})

const UDP_SERVICE = struct({
  loadBalancer: struct({ servers: listOf(struct({ address: TEXT })) }),
  weighted: struct({ services: WEIGHTED }),
})

const http: Kind = struct({
  routers: mapOf(HTTP_ROUTER),
  services: mapOf(HTTP_SERVICE),
  middlewares: mapOf(struct(HTTP_MIDDLEWARES)),
  models: mapOf(struct({ middlewares: TEXTS, tls: switchable(ROUTER_TLS), observability: OBSERVABILITY })),
  serversTransports: mapOf(HTTP_TRANSPORT),
})
const tcp: Kind = struct({
  routers: mapOf(TCP_ROUTER),
  services: mapOf(TCP_SERVICE),
  middlewares: mapOf(struct(TCP_MIDDLEWARES)),
  serversTransports: mapOf(TCP_TRANSPORT),
})
const udp: Kind = struct({
  routers: mapOf(struct({ entryPoints: TEXTS, service: TEXT })),
  services: mapOf(UDP_SERVICE),
})
const tls: Kind = struct({
  certificates: listOf(struct({ certFile: FILE, keyFile: FILE, stores: TEXTS })),
  options: mapOf(TLS_OPTIONS),
  stores: mapOf(
    struct({
      defaultCertificate: struct({ certFile: FILE, keyFile: FILE }),
      defaultGeneratedCert: struct({ resolver: TEXT, domain: struct({ main: TEXT, sans: TEXTS }) }),
    }),
  ),
})

/** Keys beside these are overlooked at the root, and nowhere else. */
export const ROOT: Fields = { http, tcp, udp, tls }
