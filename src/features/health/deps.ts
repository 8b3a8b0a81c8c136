/** What the verbs of health are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { Ballast } from '../../ports/storage-check.ts'
import type { HealthService } from './service.ts'

export interface Deps extends CoreParts {
  readonly ballast: Ballast
  readonly health: HealthService
}
