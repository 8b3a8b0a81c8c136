/** What the verbs of deploy are given. */
import type { Ballast } from '../../ports/storage-check.ts'
import type { ExplainedDifference } from '../../model/drift.ts'
import type { SsoService } from '../sso/service.ts'
import type { Page } from '../../core/noted.ts'
import type { Deps as RoutesDeps } from '../routes/deps.ts'

export interface Deps extends RoutesDeps {
  readonly ballast: Ballast
  /** Names that were served another certificate than theirs when they were last asked; nobody is asked for this. */
  readonly notServed: () => Promise<readonly ExplainedDifference[]>
  readonly sso: SsoService
  readonly health: Page['health']
  readonly deploy_status: DeployStatusFile
  /** Ids of records whose activation was accepted during a suspension and that nobody has judged yet. */
  readonly suspended_activations: Set<number>
}

/** Where the last deploy-all is remembered: memory, then database, then a file beside the routes file. */
export interface DeployStatusFile {
  /** Null when this process has deployed nothing yet. */
  fromMemory(): string | null
  /** Null when there is no readable status. */
  fromFile(): Promise<string | null>
  keep(status: string): Promise<void>
}
