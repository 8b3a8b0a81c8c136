/** Why nobody obtains a certificate for a live name that asks for TLS: its visitors are served the proxy's default one. */
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { DomainFields } from '../../model/domain/record.ts'
import { covers } from '../../model/network/certificate.ts'
import { readCertificates } from '../certificates/managed/read-certificates.ts'
import type { CertificateService } from '../certificates/service.ts'
import { isOurs } from '../certificates/target/desire.ts'
import type { Deps } from './deps.ts'

const WITHIN_MS: Milliseconds = 5000

/** In words that go on after the name, with what helps; null where one is obtained, one that is held covers it, or none is wanted. */
export async function whyNotIssued(
  deps: Deps,
  fields: DomainFields | null,
  signal: AbortSignal,
): Promise<string | null> {
  const why = fields === null ? null : nobodyFor(deps.certificates, fields)
  return why === null || (await isCovered(deps, fields!.domain, signal)) ? null : why
}

/** By what is set up alone. Pure. */
export function nobodyFor(
  { manager, cert_resolver }: Pick<CertificateService, 'manager' | 'cert_resolver'>,
  fields: DomainFields,
): string | null {
  const { ssl_enabled, service_type } = fields
  if (!ssl_enabled || service_type === 'manual') return null
  if (manager !== null && isOurs(fields, manager.responsibility)) return null
  if (service_type === 'internal')
    return 'no authority is set up, and the proxy’s resolver is for public names: set PLUMBLINE_ACME_DIRECTORY, or give the proxy a certificate for it'
  if (cert_resolver !== null) return null
  if (manager !== null)
    return 'public names are left to the proxy, and no resolver of it is named: name it in PLUMBLINE_CERT_RESOLVER and deploy, or set PLUMBLINE_CERTIFICATES=manager'
  return 'neither a resolver of the proxy nor an authority is set up: name the proxy’s in PLUMBLINE_CERT_RESOLVER and deploy, or set PLUMBLINE_ACME_DIRECTORY and PLUMBLINE_CERTIFICATES=manager'
}

/** Somebody may have brought one: what cannot be read in time covers nothing that is known. */
const isCovered = (deps: Deps, domain: string, signal: AbortSignal): Promise<boolean> =>
  withTimeout(
    { clock: deps.clock, ms: WITHIN_MS, signal },
    async (ends) => {
      const { certificates } = await readCertificates(deps, ends, { afresh: false })
      return certificates.some(
        ({ names, certificate, state }) =>
          certificate !== null && state !== 'expired' && covers(names, domain),
      )
    },
    () => false,
  ).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return false
  })
