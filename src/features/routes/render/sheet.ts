/** What the records add up to, before it is laid out: one run of text per kind of object, and what was used. */
import type { DomainFields } from '../../../model/domain/record.ts'
import { isCut, Run } from '../fast/chunks.ts'
import type { SharedName } from './names.ts'
import type { HttpText } from './render-http.ts'
import type { TcpText } from './render-tcp.ts'
import { hasTransport } from './transports.ts'

/** Kinds of routers in the order of their marks, which is the order of the file. */
export const ROUTER_KINDS = [
  'assets',
  'document',
  'open_assets',
  'open_document',
  'open',
  'redirect',
  'site',
] as const satisfies readonly (keyof HttpText)[]
const KINDS = [
  'cors',
  'home',
  ...ROUTER_KINDS,
  'service',
  'transport',
] as const satisfies readonly (keyof HttpText)[]

export class Sheet {
  readonly http = {
    cors: new Run(),
    home: new Run(),
    assets: new Run(),
    document: new Run(),
    open_assets: new Run(),
    open_document: new Run(),
    open: new Run(),
    redirect: new Run(),
    site: new Run(),
    service: new Run(),
    transport: new Run(),
  }
  readonly tcp = { router: new Run(), service: new Run() }
  /** Shared middlewares that some HTTP router lists. */
  readonly shared = new Set<SharedName>()
  /** Catalogue entries that some HTTP router lists. */
  readonly extras = new Set<string>()
  /** Whether some service lists the transport that all APIs share. */
  has_api = false
  has_internal_tcp = false
  http_routers = 0
  tcp_routers = 0

  readonly #runs = [...Object.values(this.http), ...Object.values(this.tcp)]

  addHttp(text: HttpText, fields: DomainFields): void {
    for (const kind of KINDS) this.http[kind].add(text[kind])
    this.http_routers += ROUTER_KINDS.filter((kind) => text[kind] !== '').length
    if (fields.service_type === 'api' && !hasTransport(fields)) this.has_api = true
  }

  addTcp(text: TcpText, { service_type }: DomainFields): void {
    this.tcp.router.add(text.router)
    this.tcp.service.add(text.service)
    this.tcp_routers += 1
    if (service_type === 'internal') this.has_internal_tcp = true
  }

  /** After each domain: ends the chunks where the name says so. */
  close(domain: string): void {
    if (isCut(domain)) for (const run of this.#runs) run.cut()
  }
}
