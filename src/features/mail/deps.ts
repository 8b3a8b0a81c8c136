/** What the verbs of mail are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { MailDesk } from './desk.ts'

export interface Deps extends CoreParts {
  readonly mail: MailDesk
}
