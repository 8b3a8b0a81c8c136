/** What operations know of the SSH gateway. */
import type { SshClient } from '../../model/ssh/client.ts'
import type { Permissions } from '../../model/ssh/options.ts'
import type { AuthorizedKeys, SeenKeys } from '../../ports/authorized-keys.ts'

export interface SshDesk {
  /** Null where no gateway is set up. */
  readonly file: AuthorizedKeys | null
  /** A look as the engine's judgement takes it. */
  readonly stateOf: (seen: SeenKeys, clients: readonly SshClient[]) => unknown
  /** What a client may do that says nothing of it. */
  readonly defaults: Permissions
}

/** The component that keeps the gateway true. */
export const GATEWAY = 'ssh-gateway'
