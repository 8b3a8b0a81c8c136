/** Dynamic DNS: addresses that routers report, the names that take them, and the tokens they report with. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../core/feature.ts'
import { ddnsHooks } from './commit-hooks.ts'
import { ddnsCheck } from './checks.ts'
import { ddnsEndpoints } from './endpoints.ts'
import { ddnsUpdateEndpoints } from './update-endpoints.ts'

/** @param changed told when the addresses that are published may be others */
export function ddnsFeature(deps: Deps, changed: () => void): Feature {
  const { ddns } = deps
  ddns.addresses.onChange(changed)
  return {
    name: 'ddns',
    hooks: ddnsHooks(ddns),
    endpoints: [...ddnsEndpoints(deps, ddns), ...ddnsUpdateEndpoints(ddns)],
    checks: [ddnsCheck(deps)],
    lifecycles: [ddns],
    released: () => ddns.addresses.released(),
  }
}
