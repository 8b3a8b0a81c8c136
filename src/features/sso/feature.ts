/** Single sign-on: access rules, the proof that they hold, and the provider that carries them out. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../core/feature.ts'
import { ssoHooks } from './commit-hooks.ts'
import { attachmentChecks } from './checks.ts'
import { ssoEndpoints } from './endpoints.ts'
import type { ProviderRoom } from './provider/sso-provider-wiring.ts'
import type { SsoRoom } from './sso-wiring.ts'

export const ssoFeature = (deps: Deps, provider: ProviderRoom, room: SsoRoom): Feature => ({
  name: 'sso',
  hooks: ssoHooks(deps),
  endpoints: ssoEndpoints(deps),
  checks: [...attachmentChecks(deps), ...(room.checks ?? [])],
  lifecycles: [provider, room],
  reported: (report) => room.told(report),
})
