/** From settings to what operations know of certificates. */
import { AcmeStoreFile } from './adapters/acme-store/acme-store.ts'
import { tlsProbe } from './adapters/tls-probe/tls-probe.ts'
import { factsOf, readCertificate } from './adapters/x509/read-certificate.ts'
import type { Settings } from './config/sections.ts'
import type { Clock } from './kernel/clock.ts'
import type { CertificatesDesk, ManagedCertificate } from './operations/certificates/desk.ts'

/** While nobody manages certificates here. */
const NONE_MANAGED: ManagedCertificate = () => Promise.resolve(null)

export function certificatesDesk(
  { certificates, routes }: Settings,
  clock: Clock,
  managed: ManagedCertificate = NONE_MANAGED,
): CertificatesDesk {
  const { acme_store, tls_address } = certificates
  return {
    store: acme_store === null ? null : new AcmeStoreFile(acme_store, { read: readCertificate, clock }),
    probe: tlsProbe({ factsOf }),
    tls_address,
    cert_resolver: routes.cert_resolver,
    managed,
  }
}
