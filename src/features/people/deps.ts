/** What the verbs of people are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { MailDesk } from '../mail/desk.ts'
import type { PeopleDesk } from './desk.ts'
import type { SsoDesk } from '../sso/desk.ts'

export interface Deps extends CoreParts {
  readonly mail: MailDesk
  readonly people: PeopleDesk
  readonly sso: SsoDesk
}
