/** What the records add up to, before it is laid out: one run of text per kind of object, and what was used. */
import type { DomainFields } from '../../../model/domain/record.ts'
import { isCut, Run } from '../fast/chunks.ts'
import { KINDS, OPEN_KINDS, type RecordKind, ROUTER_KINDS } from './kinds.ts'
import type { SharedName } from './names.ts'
import { hasTransport } from './transports.ts'

export class RenderBuffer {
  readonly runs = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, new Run()])) as Readonly<
    Record<RecordKind, Run>
  >
  /** Shared middlewares that some HTTP router lists. */
  readonly shared = new Set<SharedName>()
  /** Catalogue entries that some HTTP router lists. */
  readonly extras = new Set<string>()
  /** Whether some service lists the transport that all APIs share. */
  has_api = false
  has_internal_tcp = false
  readonly #all = Object.values(this.runs)

  get http_routers(): number {
    return this.#count(ROUTER_KINDS)
  }

  get open_routers(): number {
    return this.#count(OPEN_KINDS)
  }

  get tcp_routers(): number {
    return this.#count(['tcp_router'])
  }

  #count(kinds: readonly RecordKind[]): number {
    return kinds.reduce((sum, kind) => sum + this.runs[kind].size, 0)
  }

  /** After each record: what it uses of what is shared; and the chunks end where the name says so. */
  close(fields: DomainFields): void {
    const { domain, protocol, service_type } = fields
    if (protocol === 'tcp' && service_type === 'internal') this.has_internal_tcp = true
    if (protocol !== 'tcp' && service_type === 'api' && !hasTransport(fields)) this.has_api = true
    if (isCut(domain)) for (const run of this.#all) run.cut()
  }
}
