/** Dynamic DNS: keys whose time has come, and hosts that cannot decide on an address. */
import type { Milliseconds } from '../../kernel/clock.ts'
import type { HealthDifference } from '../../model/health.ts'
import type { Deps } from './deps.ts'
import { readHosts } from './hosts/read-hosts.ts'
import {
  countsOf,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  notConfigured,
  reportedApart,
} from '../../core/check.ts'
import type { HostsAnswer } from './views.ts'

const EVERY_MS: Milliseconds = 60_000

export const ddnsCheck = ({ ddns }: Pick<Deps, 'ddns'>): HealthCheck => ({
  name: 'ddns',
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  look: async () => evaluateDdns(await readHosts(ddns, 0)),
  // Key by key.
  advises: reportedApart(
    '"plumbline token list" shows the keys; "plumbline token rotate ID" makes the next one for the router, "plumbline token issue NAME" one for a name that is new, and "plumbline token revoke ID" ends one that opens nothing.',
  ),
})

/** The name that a key was issued for has no record any more, as after a rename. */
const STRANDED = 'stranded_key'

/** Pure. */
export function evaluateDdns({ rotation, hosts }: HostsAnswer): LookedAt {
  const details = { hosts: hosts.length, rotation }
  if (hosts.length === 0) return notConfigured('No name has dynamic DNS.', { details })
  const stranded = hosts.filter(
    ({ is_hub, domain_id, tokens }) => !is_hub && domain_id === null && tokens > 0,
  )
  const differences: readonly HealthDifference[] = [
    ...hosts.flatMap(({ host, flapping }) =>
      flapping.map(({ type, held, until }) => ({
        item: `${host} ${type}`,
        cause: 'flapping',
        domains: [host],
        detail: `${held} stays published until ${until} at least`,
      })),
    ),
    ...rotation.rotation_due.map((host) => ({
      item: host,
      cause: 'rotation_due',
      domains: [host],
      detail: 'its key is older than the quarter and has no successor',
    })),
    ...stranded.map(({ host }) => ({
      item: host,
      cause: STRANDED,
      domains: [],
      detail: 'its key opens nothing: no domain has that name, and the gateway that has the key is refused',
    })),
  ]
  if (differences.length === 0)
    return healthy(`The next rotation of keys is at ${rotation.next_at}.`, { details })
  const causes = countsOf(differences)
  const cause = ['flapping', STRANDED, 'rotation_due'].find((one) => causes[one] !== undefined)!
  const message = `${named(differences.map((one) => `${one.item} (${one.cause})`))} need a look.`
  return impaired(cause, message, { details, differences, causes })
}
