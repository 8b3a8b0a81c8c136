/** Certificates: obtained where an authority is set, and looked at as they are served. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../core/feature.ts'
import type { CertificatesRoom } from './certificates-wiring.ts'
import { acmeCheck, certificatesCheck } from './checks.ts'
import { certificateEndpoints } from './endpoints.ts'
import { managedCertificateEndpoints } from './managed/endpoints.ts'
import { servedCheck } from './wire/check.ts'

export const certificatesFeature = (deps: Deps, room: CertificatesRoom): Feature => ({
  name: 'certificates',
  endpoints: [...certificateEndpoints(deps), ...managedCertificateEndpoints(deps)],
  checks: [certificatesCheck(deps), servedCheck(deps), acmeCheck(deps)],
  lifecycles: [room],
  released: () => room.released(),
  reported: (report) => room.told(report),
})
