/** What the verbs of sso are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { PeopleDesk } from '../people/desk.ts'
import type { ProxyDesk } from '../routes/proxy/desk.ts'
import type { SsoDesk } from './desk.ts'

export interface Deps extends CoreParts {
  readonly people: PeopleDesk
  readonly proxy: ProxyDesk
  readonly sso: SsoDesk
}
