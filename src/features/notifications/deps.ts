/** What the verbs of notifications are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { MailDesk } from '../mail/desk.ts'
import type { Notifications } from './desk.ts'

export interface Deps extends CoreParts {
  readonly mail: MailDesk
  readonly notifications: Notifications
}
