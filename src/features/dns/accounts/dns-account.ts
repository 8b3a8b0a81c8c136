/** One account at a DNS provider, with all that is needed to use it. */
import type { Secret } from '../../../kernel/secret.ts'
import type { HostPort } from '../../../config/kinds/network.ts'
import type { Settings } from '../../../config/sections.ts'
import type { TSIG_ALGORITHMS } from '../settings.ts'

type Tsig = (typeof TSIG_ALGORITHMS)[number]

interface Common {
  readonly name: string
  /** The only zones of the account that are touched; empty for all. */
  readonly zones: readonly string[]
}

export type DnsAccount = Common &
  (
    | {
        readonly provider: 'zonefile'
        readonly directory: string
        readonly nameservers: readonly string[]
        readonly reload: readonly string[] | null
      }
    | { readonly provider: 'powerdns'; readonly url: string; readonly api_key: Secret }
    | {
        readonly provider: 'cloudflare' | 'hetzner' | 'desec'
        readonly token: Secret
        readonly url: string | null
      }
    | {
        readonly provider: 'rfc2136'
        readonly server: HostPort
        readonly key: { readonly name: string; readonly algorithm: Tsig; readonly secret: Secret }
      }
  )

/**
 * Whether any name server is known to serve what the account holds. Of zone files it is where the settings say so: a server to
 * ask, a command that tells one, name servers of their own, or a folder outside the data directory.
 */
export function isServed(
  account: DnsAccount,
  { resolver, store }: Pick<Settings, 'resolver' | 'store'>,
): boolean {
  if (account.provider !== 'zonefile' || resolver.authoritative.length > 0 || account.reload !== null)
    return true
  const is_named = account.nameservers.some((host) => host !== 'localhost')
  return is_named || !account.directory.startsWith(`${store.data_dir}/`)
}

/** Whether its name servers are somebody's who answers the whole internet. Those of one's own may serve one's own network. */
export const isHosted = ({ provider }: Pick<DnsAccount, 'provider'>): boolean =>
  provider === 'cloudflare' || provider === 'hetzner' || provider === 'desec'

/** The zones that an account has, as far as they may be touched. */
export const limitedTo = (zones: readonly string[], only: readonly string[]): readonly string[] =>
  only.length === 0 ? zones : zones.filter((zone) => only.includes(zone))
