/** What lamps are made of: what every feature keeps in memory of its records. */
import type { CertificateService } from '../certificates/service.ts'
import type { Deps as DnsDeps } from '../dns/deps.ts'
import type { HealthService } from '../health/service.ts'
import type { ProbeHistory } from '../history/probe-history.ts'
import type { Deps as SsoDeps } from '../sso/deps.ts'

export interface Deps extends DnsDeps, SsoDeps {
  readonly certificates: CertificateService
  readonly health: HealthService
  readonly history: Pick<ProbeHistory, 'last' | 'looks_every_ms'>
}
