/** Certificates: obtained where an authority is set, and looked at as they are served. */
import type { Deps, PlanningDeps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import type { CertificatesModule } from './certificates-wiring.ts'
import { acmeCheck, certificatesCheck, REFUSED_WORDS } from './checks.ts'
import { certificateFindings } from './findings.ts'
import { certificateEndpoints } from './endpoints.ts'
import { managedCertificateEndpoints } from './managed/endpoints.ts'
import { CERTIFICATES } from './managed/list.ts'
import { servedCheck } from './wire/check.ts'
import { CERTIFICATES_SERVED } from './wire/wire-drift.ts'

/** @param alert_days before its end, on each of which a certificate that was not renewed is told again */
export const certificatesFeature = (
  deps: PlanningDeps,
  module: CertificatesModule,
  alert_days: readonly number[],
): Feature => ({
  name: 'certificates',
  endpoints: [...certificateEndpoints(deps), ...managedCertificateEndpoints(deps)],
  checks: [certificatesCheck(deps), servedCheck(deps), acmeCheck(deps)],
  findings: certificateFindings(deps, alert_days),
  words: { [CERTIFICATES]: REFUSED_WORDS },
  lifecycles: [module, { start: () => tellPage(deps) }],
  released: () => module.released(),
  reported: (report) => module.reported(report),
})

/** What is served otherwise than before is on the status page at once. */
function tellPage({ certificates, health }: Pick<Deps, 'certificates' | 'health'>): void {
  certificates.wire?.onChange(() => void health.rounds.look(CERTIFICATES_SERVED))
}
