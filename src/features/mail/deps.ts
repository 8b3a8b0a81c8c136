/** What the verbs of mail are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { MailService } from './service.ts'

export interface Deps extends CoreParts {
  readonly mail: MailService
}
