/** The routes file as a deploy of everything would write it. Nothing is written. */
import type { Deps } from './deps.ts'

export interface RenderedConfig {
  readonly yaml: string
  /** SHA-256 of the bytes. */
  readonly checksum: string
  readonly router_counts: { readonly http: number; readonly tcp: number }
  /** Domains with a route. */
  readonly domains: number
  /** Components in the order in which a deploy works on them. */
  readonly apply_order: readonly string[]
}

export async function renderRoutesFile(deps: Deps): Promise<RenderedConfig> {
  const { chunks, checksum, http_routers, tcp_routers, domains } = deps.render(
    await deps.store.intent('working'),
  )
  return {
    yaml: Buffer.concat(chunks).toString('latin1'),
    checksum,
    router_counts: { http: http_routers, tcp: tcp_routers },
    domains,
    apply_order: deps.engine.applyOrder(),
  }
}
