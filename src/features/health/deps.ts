/** What the verbs of health are given. */
import type { HealthDesk } from './desk.ts'
import type { Deps as DeployDeps } from '../deploy/deps.ts'

export interface Deps extends DeployDeps {
  readonly health: HealthDesk
}
