/** Dynamic DNS: addresses that routers report, the names that take them, and the tokens they report with. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { ddnsCheck } from './checks.ts'
import { ddnsEndpoints } from './endpoints.ts'
import { keyFindings } from './tokens/findings.ts'
import { ddnsUpdateEndpoints } from './update-endpoints.ts'
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { Ddns } from './ddns.ts'
import type { Companion } from '../../http/companion.ts'
import type { AddressSources } from './companion/sources.ts'
import { carriedWarnings } from './hosts/carry-over.ts'
import { forgetEnded, giveUpLeftovers, leftoverWarnings } from './hosts/give-up-hosts.ts'
import { lostKeyWarnings } from './hosts/lost-keys.ts'
import { takenNames } from './hosts/taken-names.ts'

interface Given {
  /** Told when the addresses that are published may be others. */
  readonly changed: () => void
  readonly companion: Companion
  readonly sources: AddressSources
}

export function ddnsFeature(deps: Deps, { changed, companion, sources }: Given): Feature {
  const { ddns } = deps
  ddns.addresses.onChange(changed)
  return {
    name: 'ddns',
    hooks: ddnsHooks(ddns),
    endpoints: [...ddnsEndpoints(deps, ddns), ...ddnsUpdateEndpoints(ddns)],
    checks: [ddnsCheck(deps)],
    findings: keyFindings(ddns),
    companion,
    lifecycles: [ddns, sources],
    released: () => ddns.addresses.changedOutside(),
  }
}

/** What a change does to gateways: which address stays published for them, and whose keys end or open nothing any more. */
const ddnsHooks = (ddns: Ddns): CommitHooks => ({
  carried: async (tx, rows) => [
    ...(await carriedWarnings(tx, rows)),
    ...(await lostKeyWarnings(ddns, tx, rows)),
  ],
  async ended(tx, { audit, moving, released, at }) {
    const taken = takenNames(audit, moving, released)
    const left = await giveUpLeftovers(ddns, tx, { taken, moving, released, at })
    return { audit: left.audit, warnings: leftoverWarnings(left), durable: () => forgetEnded(ddns, left) }
  },
})
