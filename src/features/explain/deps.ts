/** What the verbs of explain are given: what every feature knows of a record. */
import type { CertificateService } from '../certificates/service.ts'
import type { Deps as DomainsDeps } from '../domains/deps.ts'
import type { HealthService } from '../health/service.ts'
import type { IgnoredRegistry } from './ignored/registry.ts'
import type { Deps as RoutesDeps } from '../routes/deps.ts'
import type { Deps as SsoDeps } from '../sso/deps.ts'

export interface Deps extends DomainsDeps, RoutesDeps, SsoDeps {
  readonly certificates: CertificateService
  readonly health: HealthService
  readonly ignored: IgnoredRegistry
}
