/** What the verbs of sso are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { PeopleService } from '../people/service.ts'
import type { RoutingService } from '../routes/proxy/service.ts'
import type { SsoService } from './service.ts'

export interface Deps extends CoreParts {
  readonly people: PeopleService
  readonly proxy: RoutingService
  readonly sso: SsoService
}
