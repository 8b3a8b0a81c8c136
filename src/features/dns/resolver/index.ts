/** The one list of the resolvers that can be read. */
import type { Secret } from '../../../kernel/secret.ts'
import type { ResolverProduct } from '../../../model/resolver/view.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import type { ResolverConfig } from './port.ts'
import { adguardConfig } from './adguard/config.ts'
import { dnsmasqConfig } from './dnsmasq/config.ts'
import { hostsConfig } from './hosts/config.ts'
import { piholeConfig } from './pihole/config.ts'
import { technitiumConfig } from './technitium/config.ts'
import { unboundConfig } from './unbound/config.ts'

export interface ResolverSource {
  readonly product: ResolverProduct
  /** A path, or the base address of an API without a slash at its end. */
  readonly location: string
}

export interface ResolverCredentials {
  readonly adguard_user: string | null
  readonly adguard_password: Secret | null
  readonly pihole_password: Secret | null
  readonly technitium_token: Secret | null
}

type Opener = (location: string, http: HttpClient, credentials: ResolverCredentials) => ResolverConfig

const OPENERS: Readonly<Record<ResolverProduct, Opener>> = {
  dnsmasq: (path) => dnsmasqConfig(path),
  unbound: (path) => unboundConfig(path),
  hosts: (path) => hostsConfig(path),
  adguard: (base, http, { adguard_user: user, adguard_password: password }) =>
    adguardConfig(base, { http, user, password }),
  pihole: (base, http, { pihole_password: password }) => piholeConfig(base, { http, password }),
  technitium: (base, http, { technitium_token: token }) => technitiumConfig(base, { http, token }),
}

/** One reader for each source, in the order of the setting. */
export const resolverConfigs = (
  sources: readonly ResolverSource[],
  http: HttpClient,
  credentials: ResolverCredentials,
): readonly ResolverConfig[] =>
  sources.map(({ product, location }) => OPENERS[product](location, http, credentials))
