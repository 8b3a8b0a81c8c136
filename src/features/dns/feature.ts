/** DNS: records in zones of several providers, and what name servers and resolvers answer. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { dnsHooks } from './commit-hooks.ts'
import { accountChecks, integrityCheck, resolversCheck } from './checks.ts'
import type { DnsWatchModule } from './dns-watch-wiring.ts'
import type { DnsModule } from './dns-wiring.ts'
import { lateFindings } from './findings.ts'
import { dnsEndpoints } from './endpoints.ts'
import { dnsStatusEndpoints } from './status-endpoints.ts'

export const dnsFeature = (deps: Deps, module: DnsModule, watch: DnsWatchModule): Feature => ({
  name: 'dns',
  hooks: dnsHooks(deps),
  endpoints: [...dnsEndpoints(deps), ...dnsStatusEndpoints(deps)],
  checks: [...accountChecks(deps), integrityCheck(deps), resolversCheck(deps)],
  findings: lateFindings(deps),
  lifecycles: [module, watch],
  reported({ component, repaired }) {
    if (component === 'dns' && repaired > 0) watch.watch.integrity.changed()
  },
})
