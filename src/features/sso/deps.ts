/** What the verbs of sso are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { UsersView } from '../../ports/users-file.ts'
import type { RoutingService } from '../routes/proxy/service.ts'
import type { SsoService } from './service.ts'

export interface Deps extends CoreParts {
  /** Null where no users file is configured. */
  readonly people: { readonly users: UsersView | null }
  readonly proxy: RoutingService
  readonly sso: SsoService
}
