/** What the verbs know of SSH targets, and what they use of the core. */
import type { Core } from '../../core/core.ts'
import type { Deploy } from '../../core/deploy.ts'
import type { ContactHost } from './contact-port.ts'
import type { LastContacts } from './last-contacts.ts'
import type { SeenGuests, Wanted } from './model/sync.ts'

export interface SshTargetService extends Pick<Core, 'store' | 'clock' | 'events' | 'commit'> {
  readonly wanted: Wanted
  /** Whether a gateway has a configuration of ours. */
  readonly is_set_up: boolean
  /** Whether the gateway has an `authorized_keys` of ours, too. */
  readonly keeps_keys: boolean
  readonly seen: () => Promise<SeenGuests>
  readonly contact: ContactHost
  /** When it showed its host key last; null for not since the start. */
  readonly contacted_at: LastContacts['at']
  readonly deploy: Deploy
}
