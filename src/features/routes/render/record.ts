/**
 * The plain renderer: every object of a live record as plain data. What the file holds is this, emitted; `fast/` writes the
 * same text sooner, and whoever wants to know what stands in the file asks here instead of reading it.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import { corsOf } from '../middlewares/cors.ts'
import { openPartsOf, openPathsOf } from '../opens/open-routers.ts'
import { httpRouters, type Use } from './http-routers.ts'
import type { HttpKind, RecordKind, TcpKind } from './kinds.ts'
import { roleMark, SHARED } from './names.ts'
import { type Traits, traitsOf, type Values, valuesOf } from './route.ts'
import { CATCH_ALL_PRIORITY, priorityOf, routerOf, tlsPart } from './router.ts'
import { bareRootPattern, sniRule } from './rules.ts'
import { httpService, tcpService } from './services.ts'
import type { PlainMap, RoutesSettings } from './settings.ts'
import { transportOf } from './transports.ts'

/** Of records of the same traits it is the same but for the values. */
export type Alike = (traits: Traits, values: Values) => PlainMap
/** Written for each record. Null where it has none after all. */
export type Single = (fields: DomainFields) => PlainMap | null

export type AlikeKind = Exclude<RecordKind, SingleKind>
/** Few records have one of these. */
const SINGLE_KINDS = ['home', 'open', 'open_assets', 'open_document', 'transport'] as const
export type SingleKind = (typeof SINGLE_KINDS)[number]

export interface RecordObjects {
  readonly alike: Readonly<Record<AlikeKind, Alike>>
  readonly single: Readonly<Record<SingleKind, Single>>
}

export const isAlike = (kind: RecordKind): kind is AlikeKind =>
  !(SINGLE_KINDS as readonly RecordKind[]).includes(kind)

/** To be asked for the kinds alone that `kindsOf` names. */
export function recordObjects(settings: RoutesSettings, use: Use): RecordObjects {
  const { open, ...routers } = httpRouters(settings, use)
  const openPart =
    (part: Parameters<typeof open>[0]): Single =>
    (fields) =>
      open(part, traitsOf(fields), valuesOf(fields))
  return {
    alike: {
      ...routers,
      cors: ({ has_origin }, { origin }) => corsOf(has_origin ? origin : null),
      service: httpService,
      tcp_router: (traits, values) => tcpRouter(traits, values, settings),
      tcp_service: (_traits, values) => tcpService(values),
    },
    single: {
      home,
      open: openPart(null),
      open_assets: openPart('assets'),
      open_document: openPart('document'),
      transport: (fields) => transportOf(fields, settings),
    },
  }
}

/** Says of records which objects they have; a transport may turn out to be none. */
export function kindsOf(settings: RoutesSettings): (fields: DomainFields) => readonly RecordKind[] {
  const openPaths = openPathsOf(settings)
  return (fields) => {
    if (fields.protocol === 'tcp') return TCP
    const kinds: HttpKind[] = ['site', 'service']
    if (fields.ssl_enabled) kinds.push('redirect')
    if (fields.cors_enabled) kinds.push('cors')
    if (fields.default_path !== null) kinds.push('home')
    if (fields.service_type === 'spa') kinds.push('assets', 'document')
    if (fields.backend_tls !== null) kinds.push('transport')
    const paths = openPaths(fields)
    if (paths !== null && paths.hindered_by === null)
      for (const part of openPartsOf(fields)) kinds.push(part === null ? 'open' : `open_${part}`)
    return kinds
  }
}

const TCP: readonly TcpKind[] = ['tcp_router', 'tcp_service']

/** From the bare root to `default_path`, on the same scheme, host and port. Temporary: the path may change. */
const home = ({ domain, default_path }: DomainFields): PlainMap => ({
  redirectRegex: { permanent: false, regex: bareRootPattern(domain), replacement: `$1${default_path}` },
})

function tcpRouter(
  traits: Traits,
  values: Values,
  { cert_resolver, traefik_version }: RoutesSettings,
): PlainMap {
  const { ssl_enabled, service_type } = traits
  const { domain, entrypoint } = values
  // Left out, the router would stand on every default entrypoint and a star would swallow all of them.
  if (entrypoint === '')
    throw new Failure(
      'internal',
      `routes: ${domain} is a TCP route without an entrypoint; set tcp_entrypoint`,
    )
  return routerOf({
    entrypoint,
    middlewares: service_type === 'internal' ? [SHARED.internal_only] : [],
    priority: ssl_enabled ? priorityOf(domain, 'site') : CATCH_ALL_PRIORITY,
    // Without TLS no name is spoken, and Traefik takes nothing but the star.
    rule: sniRule(ssl_enabled ? domain : null, traefik_version),
    service: roleMark('tcp') + domain,
    tls: tlsPart(traits, values, cert_resolver),
  })
}
