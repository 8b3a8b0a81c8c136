/** What the verbs of health are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { Ballast } from '../../ports/storage-check.ts'
import type { HealthDesk } from './desk.ts'

export interface Deps extends CoreParts {
  readonly ballast: Ballast
  readonly health: HealthDesk
}
