/** The routes file as a deploy of everything would write it. Nothing is written. */
import type { Deps } from './deps.ts'
import type { RenderedConfig } from '../../http/common-views.ts'

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
