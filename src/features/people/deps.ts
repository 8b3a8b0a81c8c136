/** What the verbs of people are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { MailService } from '../mail/service.ts'
import type { PeopleService } from './service.ts'
import type { SsoService } from '../sso/service.ts'

export interface Deps extends CoreParts {
  readonly mail: MailService
  readonly people: PeopleService
  readonly sso: SsoService
}
