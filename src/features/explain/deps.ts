/** What the verbs of explain are given. */
import type { HealthDesk } from '../health/desk.ts'
import type { PeopleDesk } from '../people/desk.ts'
import type { Deps as DeployDeps } from '../deploy/deps.ts'

export interface Deps extends DeployDeps {
  readonly health: HealthDesk
  readonly people: PeopleDesk
}
