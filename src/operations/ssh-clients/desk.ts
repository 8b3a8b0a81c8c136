/** What operations know of the SSH gateway. */
import type { Permissions } from '../../model/ssh/options.ts'
import type { AuthorizedKeys } from '../../ports/authorized-keys.ts'

export interface SshDesk {
  /** Null where no gateway is set up. */
  readonly file: AuthorizedKeys | null
  /** What a client may do that says nothing of it. */
  readonly defaults: Permissions
}

/** The component that keeps the gateway true. */
export const GATEWAY = 'ssh-gateway'
