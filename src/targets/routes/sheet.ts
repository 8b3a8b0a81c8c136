/** What the records add up to, before it is laid out: one run of text per kind of object, and what was used. */
import type { DomainFields } from '../../model/domain.ts'
import { isCut, Run } from './chunks.ts'
import type { SharedName } from './names.ts'
import type { HttpText } from './render-http.ts'
import type { TcpText } from './render-tcp.ts'

export class Sheet {
  readonly http = {
    cors: new Run(),
    home: new Run(),
    assets: new Run(),
    redirect: new Run(),
    site: new Run(),
    service: new Run(),
  }
  readonly tcp = { router: new Run(), service: new Run() }
  /** Shared middlewares that some HTTP router lists. */
  readonly shared = new Set<SharedName>()
  /** Catalogue entries that some HTTP router lists. */
  readonly extras = new Set<string>()
  has_api = false
  has_internal_tcp = false
  http_routers = 0
  tcp_routers = 0

  readonly #runs = [...Object.values(this.http), ...Object.values(this.tcp)]

  addHttp(text: HttpText, { service_type }: DomainFields): void {
    this.http.cors.add(text.cors)
    this.http.home.add(text.home)
    this.http.assets.add(text.assets)
    this.http.redirect.add(text.redirect)
    this.http.site.add(text.site)
    this.http.service.add(text.service)
    this.http_routers += 1 + (text.assets === '' ? 0 : 1) + (text.redirect === '' ? 0 : 1)
    if (service_type === 'api') this.has_api = true
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
