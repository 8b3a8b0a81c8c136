/** Whether the names by which devices find the sites resolve here, and to the address that the gateway has. */
import type { z } from 'zod'
import type { ResolveName } from './resolver-port.ts'
import type { SiteState } from './site.ts'
import type { VpnDrift } from './views.ts'

type SiteDrift = z.output<typeof VpnDrift>['sites'][number]

export type DriftLook = (states: readonly SiteState[]) => Promise<SiteDrift[]>

/** Addresses of the uplinks behind which a server with this key stands; null where no controller tells. */
export type UplinksOf = (server_public_key: string) => Promise<readonly string[] | null>

interface DriftParts {
  readonly resolve: ResolveName
  readonly uplinks: UplinksOf
}

export const driftLook =
  ({ resolve, uplinks }: DriftParts): DriftLook =>
  (states) =>
    Promise.all(states.map((state) => siteDrift(state, { resolve, uplinks })))

async function siteDrift(
  { site, status, server }: SiteState,
  { resolve, uplinks }: DriftParts,
): Promise<SiteDrift> {
  const key = server?.public_key ?? null
  const [found, wan] = await Promise.all([resolve(site.endpoint), key === null ? null : uplinks(key)])
  const addresses = found.ok ? [...found.addresses] : []
  const is_known = addresses.length > 0 && wan !== null && wan.length > 0
  return {
    site_id: site.id,
    dns_endpoint: site.endpoint,
    configured: status !== 'not_configured',
    resolves: addresses.length > 0,
    addresses,
    error: found.ok ? null : found.detail,
    wan_address: wan?.[0] ?? null,
    matches_wan: is_known ? addresses.some((address) => wan.includes(address)) : null,
  }
}
