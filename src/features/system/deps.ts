/** What the verbs of system are given. */
import type { Deps as DeployDeps } from '../deploy/deps.ts'

export type Deps = DeployDeps
