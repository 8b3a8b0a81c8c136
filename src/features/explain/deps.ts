/** What the verbs of explain are given: what every feature knows of a record. */
import type { CertificatesDesk } from '../certificates/desk.ts'
import type { HealthDesk } from '../health/desk.ts'
import type { Deps as RoutesDeps } from '../routes/deps.ts'
import type { Deps as SsoDeps } from '../sso/deps.ts'

export interface Deps extends RoutesDeps, SsoDeps {
  readonly certificates: CertificatesDesk
  readonly health: HealthDesk
}
