/** What the verbs of notifications are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { MailService } from '../mail/service.ts'
import type { Notifications } from './notifications.ts'

export interface Deps extends CoreParts {
  readonly mail: MailService
  readonly notifications: Notifications
}
