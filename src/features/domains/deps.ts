/** What the verbs of domains are given. */
import type { Ddns } from '../ddns/ddns.ts'
import type { Deps as DeployDeps } from '../deploy/deps.ts'

export interface Deps extends DeployDeps {
  readonly ddns: Ddns
  /** The fixed public address of the installation, or null while none is set. */
  readonly public_ip: string | null
}
