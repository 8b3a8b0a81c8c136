/** Where the routers of a record stand: what they are asked before, told without rendering them. Pure. */
import type { DomainFields } from '../../../model/domain/record.ts'
import type { IntentRow } from '../../../model/intent.ts'
import { openPathsOf } from '../opens/open-routers.ts'
import { CATCH_ALL_PRIORITY, priorityOf } from './router.ts'
import { namesHost } from './rules.ts'
import type { RoutesSettings } from './settings.ts'

/** A place where a router of a record stands. */
export interface Door {
  readonly kind: 'http' | 'tcp'
  readonly entrypoint: string
  readonly tls: boolean
  /** Of the first of the record's routers there. */
  readonly priority: number
  /** No name is spoken there: it takes whatever comes. */
  readonly any_name: boolean
  /** Its rule is `Host()`: over TLS it is asked before TCP routers; a pattern is asked before `HostSNI(*)` alone. */
  readonly names_host: boolean
  /** It only sends everybody to https, so nothing is served there. */
  readonly redirects: boolean
}

/** None for a row that is not rendered. */
export function doorsOf({ live, fields }: IntentRow, settings: RoutesSettings): readonly Door[] {
  if (!live || fields.service_type === 'manual') return []
  return fields.protocol === 'tcp' ? tcpDoors(fields) : httpDoors(fields, settings)
}

function tcpDoors({ domain, tcp_entrypoint: entrypoint, ssl_enabled: tls }: DomainFields): readonly Door[] {
  if (entrypoint === null) return []
  const priority = tls ? priorityOf(domain, 'site') : CATCH_ALL_PRIORITY
  return [{ kind: 'tcp', entrypoint, tls, priority, any_name: !tls, names_host: false, redirects: false }]
}

function httpDoors(fields: DomainFields, settings: RoutesSettings): readonly Door[] {
  const { domain, ssl_enabled: tls } = fields
  const first = priorityOf(domain, rankOf(fields.service_type === 'spa', hasOpenPaths(fields, settings)))
  const names_host = namesHost(domain, settings.traefik_version)
  const http = { kind: 'http', any_name: false, names_host, redirects: false } as const
  const plain = { ...http, entrypoint: settings.http_entrypoint, tls: false }
  if (!tls) return [{ ...plain, priority: first }]
  return [
    { ...http, entrypoint: settings.https_entrypoint, tls, priority: first },
    { ...plain, priority: priorityOf(domain, 'site'), redirects: true },
  ]
}

function hasOpenPaths(fields: DomainFields, settings: RoutesSettings): boolean {
  // Few domains have any, and all the others need no look at the catalogue.
  const open = settings.open_paths.has(fields.domain) ? openPathsOf(settings)(fields) : null
  return open !== null && open.hindered_by === null
}

/** The highest rank among its routers, which some of them have for a part of the site alone. */
function rankOf(has_parts: boolean, has_open_paths: boolean): Parameters<typeof priorityOf>[1] {
  if (has_open_paths) return has_parts ? 'open_part' : 'open'
  return has_parts ? 'part' : 'site'
}
