/** What the verbs of deploy are given. */
import type { Ballast } from '../../ports/storage-check.ts'
import type { CertificatesDesk } from '../certificates/desk.ts'
import type { SsoDesk } from '../sso/desk.ts'
import type { Deps as RoutesDeps } from '../routes/deps.ts'

export interface Deps extends RoutesDeps {
  readonly ballast: Ballast
  readonly certificates: CertificatesDesk
  readonly sso: SsoDesk
  readonly deploy_status: DeployStatusKeeper
}

/** Where the last deploy-all is remembered: memory, then database, then a file beside the routes file. */
export interface DeployStatusKeeper {
  /** Null when this process has deployed nothing yet. */
  fromMemory(): string | null
  fromFile(): Promise<string | null>
  keep(status: string): Promise<void>
}
