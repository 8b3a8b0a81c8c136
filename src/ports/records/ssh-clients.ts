/** What the store keeps for the SSH gateway. Part of the store's contract. */
import type { SshClient } from '../../model/ssh/client.ts'

export interface SshClientReader {
  /** The oldest first, then by fingerprint. */
  sshClients(): Promise<readonly SshClient[]>
}

export interface SshClientWriter extends SshClientReader {
  /** By fingerprint. */
  saveSshClient(client: SshClient): Promise<void>
  dropSshClient(fingerprint: string): Promise<void>
}
