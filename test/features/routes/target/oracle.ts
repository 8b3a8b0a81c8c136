/**
 * The routes file as a tree of plain data, said a second time: slowly, without text, and without the renderer's code. The
 * rendering must read back as exactly this.
 */
import { isIPv6, isIP } from 'node:net'
import type { DomainFields } from '../../../../src/model/domain/record.ts'
import type { Intent } from '../../../../src/model/intent.ts'
import { catalogue } from '../../../../src/features/routes/middlewares/catalogue.ts'
import type { RoutesSettings } from '../../../../src/features/routes/render/settings.ts'

export type Tree = Record<string, unknown>

const PRIVATE = ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7']

/** What an edition asks for; the generation marker is left out, since only the bytes know it. */
export function treeOf(intent: Intent, settings: RoutesSettings): Tree {
  const rows = intent.rows.filter(({ live, fields }) => live && fields.service_type !== 'manual')
  const http = rows.map(({ fields }) => fields).filter(({ protocol }) => protocol === 'http')
  const tcp = rows.map(({ fields }) => fields).filter(({ protocol }) => protocol === 'tcp')
  return {
    http: {
      middlewares: middlewaresOf(http, settings),
      ...section(
        'routers',
        http.map((fields) => httpRouters(fields, settings)),
      ),
      ...transportsOf(http, settings),
      ...section('services', http.map(httpService)),
    },
    ...(tcp.length === 0 ? {} : { tcp: tcpPart(tcp, settings) }),
  }
}

const TIMEOUTS = {
  forwardingTimeouts: { dialTimeout: '5s', idleConnTimeout: '90s', responseHeaderTimeout: '60s' },
}

/** One for all APIs that trust what the proxy trusts, and one for each record that says otherwise. */
function transportsOf(http: readonly DomainFields[], settings: RoutesSettings): Tree {
  const transports: Tree = {}
  for (const { domain, service_type, backend_tls: tls } of http) {
    const timeouts = service_type === 'api' ? TIMEOUTS : {}
    const root = tls?.pem ?? settings.backend_authorities.get(tls?.ca_name ?? '')
    if (tls === null || (tls.trust === 'system' && tls.server_name === undefined)) {
      if (service_type === 'api') transports['plumbline-api'] = TIMEOUTS
    } else if (tls.ca_name === undefined || root !== undefined)
      transports[`plumbline-transport_${domain}`] = {
        ...timeouts,
        ...(tls.trust === 'insecure' ? { insecureSkipVerify: true } : {}),
        ...(root === undefined ? {} : { rootCAs: [root] }),
        ...(tls.server_name === undefined ? {} : { serverName: tls.server_name }),
      }
  }
  return Object.keys(transports).length === 0 ? {} : { serversTransports: transports }
}

const section = (name: string, parts: readonly Tree[]): Tree =>
  parts.length === 0 ? {} : { [name]: Object.assign({}, ...parts) as Tree }

function httpRouters(fields: DomainFields, settings: RoutesSettings): Tree {
  const { domain, ssl_enabled, service_type } = fields
  const wild = domain.startsWith('*.')
  const host = hostMatcher('Host', domain, settings)
  const common = {
    entryPoints: [ssl_enabled ? settings.https_entrypoint : settings.http_entrypoint],
    service: `plumbline-site_${domain}`,
    ...(ssl_enabled ? { tls: tlsOf(fields, settings) } : {}),
  }
  const routers: Tree = {
    [`plumbline-site_${domain}`]: {
      ...common,
      middlewares: listOf(fields, settings, 'site'),
      priority: wild ? 497 : 1000,
      rule: host,
    },
  }
  const parts = service_type === 'spa' ? (['assets', 'document'] as const) : []
  for (const part of parts)
    routers[`plumbline-${part}_${domain}`] = {
      ...common,
      middlewares: listOf(fields, settings, part),
      priority: wild ? 498 : 1100,
      rule: `${host} && ${PART_RULES[part]}`,
    }
  const open = openRule(fields, settings)
  if (open !== null) {
    routers[`plumbline-open_${domain}`] = {
      ...common,
      middlewares: openListOf(fields, settings, 'site'),
      priority: wild ? 499 : 1200,
      rule: `${host} && ${open}`,
    }
    for (const part of parts)
      routers[`plumbline-open-${part}_${domain}`] = {
        ...common,
        middlewares: openListOf(fields, settings, part),
        priority: wild ? 500 : 1300,
        rule: `${host} && ${open} && ${PART_RULES[part]}`,
      }
  }
  if (ssl_enabled)
    routers[`plumbline-redirect_${domain}`] = {
      entryPoints: [settings.http_entrypoint],
      middlewares: [
        ...(service_type === 'internal' ? ['plumbline-internal-only'] : []),
        'plumbline-security-headers',
        'plumbline-redirect-https',
      ],
      priority: wild ? 497 : 1000,
      rule: host,
      service: 'noop@internal',
    }
  return routers
}

const FILE = '(?:[.](?:chunk|min))?[.](?:avif|css|gif|ico|jpe?g|js|mjs|png|svg|ttf|wasm|webp|woff2?)$'
const WORD = Array.from({ length: 8 }, () => '[A-Za-z0-9_]').join('')
const HEX = Array.from({ length: 8 }, () => '[0-9a-f]').join('')
const PART_RULES = {
  assets: `(PathRegexp("[.-]${HEX}[0-9a-f]*${FILE}") || (PathRegexp("[.-]${WORD}${FILE}") && PathRegexp("[0-9][A-Za-z0-9_]*${FILE}") && PathRegexp("[A-Z][A-Za-z0-9_]*${FILE}")))`,
  document: '(Path("/") || PathRegexp("[.]html$"))',
}

/** The paths that are open although the record is protected, where there are some, over TLS, and none of its middlewares changes paths. */
function openRule(fields: DomainFields, settings: RoutesSettings): string | null {
  const paths = settings.open_paths.get(fields.domain) ?? []
  const changing = catalogue(settings).filter(({ type }) =>
    /^(?:.*[pP]refix.*|replacePath.*|chain|plugin)$/.test(type),
  )
  const names = changing.map(({ name }) => name)
  const is_changed = fields.middleware_config.extra_middlewares.some((name) => names.includes(name))
  if (paths.length === 0 || !fields.auth_required || !fields.ssl_enabled || is_changed) return null
  const part = '[A-Za-z0-9_~!$&()*+,:@-][A-Za-z0-9._~!$&()*+,:@-]*'
  const patterns = paths.map((path) => {
    const plain = path.split('.').join('[.]')
    return path.endsWith('/') ? `${plain}(?:${part}/)*(?:${part})?` : plain
  })
  return `PathRegexp("^${patterns.length > 1 ? `(?:${patterns.join('|')})` : patterns[0]}$")`
}

function openListOf(...asked: Parameters<typeof listOf>): string[] {
  const [first = '', ...rest] = listOf(...asked)
  return [first, 'plumbline-open-path', ...rest.filter((name) => name !== 'plumbline-sso')]
}

function hostMatcher(name: 'Host' | 'HostSNI', domain: string, { traefik_version }: RoutesSettings): string {
  const takes_wildcards = traefik_version[0] > 3 || traefik_version[1] >= 7
  if (!domain.startsWith('*.') || takes_wildcards) return `${name}("${domain}")`
  const pattern = `^[a-z0-9-]+[.]${domain.slice(2).split('.').join('[.]')}$`
  return `${name}Regexp(${JSON.stringify(pattern)})`
}

function tlsOf({ domain, service_type }: DomainFields, { cert_resolver }: RoutesSettings): Tree {
  if (cert_resolver === null || service_type === 'internal') return { options: 'default' }
  return domain.startsWith('*.')
    ? { certResolver: cert_resolver, domains: [{ main: domain }] }
    : { certResolver: cert_resolver }
}

function listOf(
  fields: DomainFields,
  settings: RoutesSettings,
  role: 'site' | 'assets' | 'document',
): string[] {
  const { domain, service_type, auth_required } = fields
  const known = new Map(catalogue(settings).map(({ name, position }) => [name, position]))
  const extras = (side: string) =>
    fields.middleware_config.extra_middlewares
      .filter((name) => known.get(name) === side)
      .map((name) => `plumbline-extra-${name}`)
  const when = (condition: boolean, ...names: string[]) => (condition ? names : [])
  return [
    'plumbline-no-identity',
    ...when(service_type === 'internal', 'plumbline-internal-only'),
    ...extras('before_sso'),
    ...when(fields.cors_enabled, `plumbline-cors_${domain}`),
    'plumbline-security-headers',
    ...when(auth_required, 'plumbline-sso'),
    ...when(role !== 'assets' && fields.default_path !== null, `plumbline-home_${domain}`),
    ...when(role === 'document', 'plumbline-spa-document'),
    ...when(role === 'assets', 'plumbline-spa-assets'),
    ...when(service_type === 'spa', 'plumbline-spa-compress'),
    ...extras('after_sso'),
  ]
}

const addressOf = ({ backend_host, backend_port }: DomainFields): string =>
  isIPv6(backend_host!) ? `[${backend_host}]:${backend_port}` : `${backend_host}:${backend_port}`

function httpService(fields: DomainFields): Tree {
  const { domain, service_type, backend_host, backend_port, health_check_path } = fields
  const scheme = fields.backend_scheme ?? (backend_port === 443 ? 'https' : 'http')
  const loadBalancer: Tree = { servers: [{ url: `${scheme}://${addressOf(fields)}` }] }
  if (health_check_path !== null)
    loadBalancer['healthCheck'] = { interval: '30s', path: health_check_path, timeout: '5s' }
  if (service_type === 'proxy' && isIP(backend_host!) === 0 && backend_host!.includes('.'))
    loadBalancer['passHostHeader'] = false
  if (service_type === 'websocket') loadBalancer['responseForwarding'] = { flushInterval: '-1ms' }
  const { backend_tls: tls } = fields
  if (tls !== null && (tls.trust !== 'system' || tls.server_name !== undefined))
    loadBalancer['serversTransport'] = `plumbline-transport_${domain}`
  else if (service_type === 'api') loadBalancer['serversTransport'] = 'plumbline-api'
  return { [`plumbline-site_${domain}`]: { loadBalancer } }
}

function tcpPart(all: readonly DomainFields[], settings: RoutesSettings): Tree {
  const isInternal = ({ service_type }: DomainFields) => service_type === 'internal'
  const router = (fields: DomainFields): Tree => ({
    [`plumbline-tcp_${fields.domain}`]: {
      entryPoints: [fields.tcp_entrypoint!],
      ...(isInternal(fields) ? { middlewares: ['plumbline-internal-only'] } : {}),
      priority: !fields.ssl_enabled ? 1 : fields.domain.startsWith('*.') ? 497 : 1000,
      rule: fields.ssl_enabled ? hostMatcher('HostSNI', fields.domain, settings) : 'HostSNI("*")',
      service: `plumbline-tcp_${fields.domain}`,
      ...(fields.ssl_enabled ? { tls: tlsOf(fields, settings) } : {}),
    },
  })
  const service = (fields: DomainFields): Tree => ({
    [`plumbline-tcp_${fields.domain}`]: { loadBalancer: { servers: [{ address: addressOf(fields) }] } },
  })
  return {
    ...(all.some(isInternal)
      ? { middlewares: { 'plumbline-internal-only': { ipAllowList: { sourceRange: PRIVATE } } } }
      : {}),
    ...section('routers', all.map(router)),
    ...section('services', all.map(service)),
  }
}

function middlewaresOf(all: readonly DomainFields[], settings: RoutesSettings): Tree {
  const used = new Set(all.flatMap((fields) => Object.values(httpRouters(fields, settings)).flatMap(listed)))
  const shared: Tree = {
    'plumbline-internal-only': { ipAllowList: { sourceRange: PRIVATE } },
    'plumbline-no-identity': {
      headers: {
        customRequestHeaders: {
          'Remote-Email': '',
          'Remote-Groups': '',
          'Remote-Name': '',
          'Remote-User': '',
          Remote_Email: '',
          Remote_Groups: '',
          Remote_Name: '',
          Remote_User: '',
        },
      },
    },
    'plumbline-open-path': {
      headers: {
        customRequestHeaders: {
          'X-Original-URI': '',
          'X-Original-URL': '',
          'X-Rewrite-URL': '',
          X_Original_URI: '',
          X_Original_URL: '',
          X_Rewrite_URL: '',
        },
      },
    },
    'plumbline-redirect-https': {
      redirectScheme: {
        permanent: true,
        scheme: 'https',
        ...(settings.https_port === 443 ? {} : { port: `${settings.https_port}` }),
      },
    },
    'plumbline-security-headers': {
      headers: {
        contentSecurityPolicy: "frame-ancestors 'self'",
        contentTypeNosniff: true,
        customFrameOptionsValue: 'SAMEORIGIN',
        permissionsPolicy: 'camera=(self), geolocation=(self), microphone=(self), payment=(self), usb=(self)',
        referrerPolicy: 'strict-origin-when-cross-origin',
        stsSeconds: 31536000,
      },
    },
    'plumbline-spa-assets': headers({ 'Cache-Control': 'private, max-age=60' }),
    'plumbline-spa-compress': { compress: { excludedContentTypes: ['text/event-stream'] } },
    'plumbline-spa-document': headers({ 'Cache-Control': 'no-cache' }),
    'plumbline-sso': {
      forwardAuth: {
        address: settings.sso_forward_auth_url,
        authResponseHeaders: ['Remote-User', 'Remote-Groups', 'Remote-Name', 'Remote-Email'],
        ...(limitsAnswers(settings) ? { maxResponseBodySize: 1048576 } : {}),
        trustForwardHeader: true,
      },
    },
  }
  const extras = catalogue(settings).map(({ name, type, config }) => [
    `plumbline-extra-${name}`,
    { [type]: config },
  ])
  const own = all.flatMap((fields) => [
    ...(fields.cors_enabled ? [[`plumbline-cors_${fields.domain}`, corsOf(fields)]] : []),
    ...(fields.default_path === null ? [] : [[`plumbline-home_${fields.domain}`, homeOf(fields)]]),
  ])
  const everything = Object.fromEntries([...Object.entries(shared), ...extras, ...own]) as Tree
  return Object.fromEntries(Object.entries(everything).filter(([name]) => used.has(name)))
}

const listed = (router: unknown): string[] => (router as { middlewares: string[] }).middlewares

const headers = (customResponseHeaders: Tree): Tree => ({ headers: { customResponseHeaders } })

const limitsAnswers = ({ traefik_version: [major, minor, patch] }: RoutesSettings): boolean =>
  major > 3 || minor > 6 || (minor === 6 && patch >= 9)

const corsOf = ({ cors_origin }: DomainFields): Tree => ({
  headers: {
    ...(cors_origin === null ? {} : { accessControlAllowCredentials: true }),
    accessControlAllowHeaders:
      'Accept Accept-Language Authorization Cache-Control Content-Language Content-Type If-Match If-None-Match Range X-API-Key X-CSRF-Token X-Requested-With'.split(
        ' ',
      ),
    accessControlAllowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    accessControlAllowOriginList: [cors_origin ?? '*'],
    accessControlMaxAge: 600,
    addVaryHeader: true,
  },
})

function homeOf({ domain, default_path }: DomainFields): Tree {
  const dotted = domain.split('.').join('[.]').replace(/^\*/, '[a-z0-9-]+')
  return {
    redirectRegex: {
      permanent: false,
      regex: `(?i)^(https?://${dotted}[.]?(?::[0-9]+)?)/$`,
      replacement: `$1${default_path}`,
    },
  }
}
