/** Single sign-on: access rules, the proof that they hold, and the provider that carries them out. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { ssoHooks } from './commit-hooks.ts'
import { attachmentChecks, PROOF_WORDS, quarantineFindings } from './checks.ts'
import { PROOF_KEY } from './proof/target.ts'
import { ssoEndpoints } from './endpoints.ts'
import type { ProviderModule } from './provider/sso-provider-wiring.ts'
import type { SsoModule } from './sso-wiring.ts'

export const ssoFeature = (deps: Deps, provider: ProviderModule, module: SsoModule): Feature => ({
  name: 'sso',
  hooks: ssoHooks(deps),
  endpoints: ssoEndpoints(deps),
  checks: [...attachmentChecks(deps), ...(module.checks ?? [])],
  findings: quarantineFindings(deps),
  words: { [PROOF_KEY]: PROOF_WORDS },
  lifecycles: [provider, module],
  reported: (report) => module.reported(report),
})
