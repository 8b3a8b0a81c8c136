/** The one list of the DNS providers, in the order of the documentation. Each is a folder, and stands nowhere else. */
import { cloudflare } from './cloudflare/index.ts'
import { desec } from './desec/index.ts'
import { hetzner } from './hetzner/index.ts'
import { powerdns } from './powerdns/index.ts'
import { rfc2136 } from './rfc2136/index.ts'
import { zonefile } from './zonefile/index.ts'

export const PROVIDERS = [zonefile, powerdns, cloudflare, rfc2136, hetzner, desec] as const
