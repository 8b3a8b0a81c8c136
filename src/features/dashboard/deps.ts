/** What the overview is made of: what is known of all else. */
import type { CertificateService } from '../certificates/service.ts'
import type { Ddns } from '../ddns/ddns.ts'
import type { Deps as HealthDeps } from '../health/deps.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'
import type { Notifications } from '../notifications/notifications.ts'

export interface Deps extends HealthDeps, Pick<Entrypoints, 'http_entrypoint' | 'https_entrypoint'> {
  readonly ddns: Ddns
  readonly notifications: Notifications
  readonly certificates: CertificateService
}
