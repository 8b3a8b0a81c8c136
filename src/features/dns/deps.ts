/** What the verbs of dns are given. */
import type { DnsWatch } from './integrity/watch.ts'
import type { Deps as DeployDeps } from '../deploy/deps.ts'

export interface Deps extends DeployDeps {
  readonly dns_watch: DnsWatch
}
