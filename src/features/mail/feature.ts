/** Mail: messages that callers and other features send, each once. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { mailCheck } from './checks.ts'
import { emailEndpoints } from './endpoints.ts'

export const mailFeature = (deps: Deps): Feature => ({
  name: 'mail',
  endpoints: emailEndpoints(deps),
  checks: [mailCheck(deps)],
})
