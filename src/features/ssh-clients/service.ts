/** What verbs know of the SSH gateway, and what they use of the core. */
import type { Core } from '../../core/core.ts'
import type { SshClient } from '../../model/ssh/client.ts'
import type { Permissions } from '../../model/ssh/options.ts'
import type { AuthorizedKeys, SeenKeys } from './authorized-keys-port.ts'
import type { NewestLook } from './newest-look.ts'

export interface SshService extends Pick<Core, 'store' | 'events' | 'engine' | 'commit'> {
  /** Null where no gateway is set up. */
  readonly file: AuthorizedKeys | null
  /** Null where no gateway is set up. */
  readonly looks: NewestLook | null
  /** A look as the engine's judgement takes it. */
  readonly stateOf: (seen: SeenKeys, clients: readonly SshClient[]) => unknown
  /** What a client may do that says nothing of it. */
  readonly defaults: Permissions
}
