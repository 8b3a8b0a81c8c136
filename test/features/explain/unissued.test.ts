/** Whether anybody obtains a certificate for a record, by what is set up. */
import { expect, it } from 'vitest'
import type { CertificateService } from '../../../src/features/certificates/service.ts'
import { nobodyFor } from '../../../src/features/explain/unissued.ts'
import type { DomainFields } from '../../../src/model/domain/record.ts'

const fields = (service_type: DomainFields['service_type'], ssl_enabled = true) =>
  ({ domain: 'app.example.com', service_type, ssl_enabled }) as DomainFields

const manager = (responsibility: 'all' | 'internal') =>
  ({ responsibility }) as unknown as CertificateService['manager']

it.each([
  [
    'nothing is set up',
    null,
    null,
    'http',
    /^neither .*PLUMBLINE_CERT_RESOLVER.*PLUMBLINE_CERTIFICATES=manager$/,
  ],
  ['the proxy has a resolver', null, 'letsencrypt', 'http', null],
  [
    'the resolver is for public names',
    null,
    'letsencrypt',
    'internal',
    /^no authority .*PLUMBLINE_ACME_DIRECTORY/,
  ],
  ['internal names are ours', manager('internal'), null, 'internal', null],
  ['internal names alone are ours', manager('internal'), null, 'http', /^public names are left to the proxy/],
  ['all are ours', manager('all'), null, 'http', null],
  ['it is managed elsewhere', null, null, 'manual', null],
] as const)('%s', (_name, own, cert_resolver, service_type, why) => {
  const said = nobodyFor({ manager: own, cert_resolver }, fields(service_type))
  if (why === null) expect(said).toBeNull()
  else expect(said).toMatch(why)
  expect(nobodyFor({ manager: own, cert_resolver }, fields(service_type, false))).toBeNull()
})
