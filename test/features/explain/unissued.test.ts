/** Whether anybody obtains a certificate for a record, by what is set up. */
import { expect, it } from 'vitest'
import type { CertificateService } from '../../../src/features/certificates/service.ts'
import { type Means, nobodyFor } from '../../../src/features/explain/unissued.ts'
import type { DomainFields } from '../../../src/model/domain/record.ts'

const fields = (service_type: DomainFields['service_type'], ssl_enabled = true) =>
  ({ domain: 'app.example.com', service_type, ssl_enabled }) as DomainFields

const manager = (responsibility: 'all' | 'internal') =>
  ({ responsibility }) as unknown as CertificateService['manager']

const RELEASED_SO = { routed_to: null, unproven: null, is_unreleased: false } as const

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
  const means = {
    ...RELEASED_SO,
    manager: own,
    cert_resolver,
    routed_to: service_type === 'internal' ? null : cert_resolver,
  }
  const said = nobodyFor(means, fields(service_type))
  if (why === null) expect(said).toBeNull()
  else expect(said).toMatch(why)
  expect(nobodyFor(means, fields(service_type, false))).toBeNull()
})

const SET_UP = { ...RELEASED_SO, manager: manager('all'), cert_resolver: null }

it.each<readonly [string, Means, DomainFields['service_type'], RegExp | null]>([
  [
    'routes that ask no resolver yet',
    { ...SET_UP, manager: null, cert_resolver: 'le' },
    'http',
    /ask no resolver: deploy it$/,
  ],
  [
    'routes that nobody has released',
    { ...SET_UP, manager: null, cert_resolver: 'le', routed_to: undefined },
    'http',
    null,
  ],
  [
    'routes that ask the one that was named before',
    { ...SET_UP, manager: null, routed_to: 'old' },
    'http',
    null,
  ],
  ['no way to prove a name', { ...SET_UP, unproven: 'no way' }, 'internal', /^no way$/],
  [
    'no way to prove a name that the proxy obtains',
    { ...SET_UP, unproven: 'no way', routed_to: 'le' },
    'http',
    null,
  ],
  ['an authority that waits for the deploy', { ...SET_UP, is_unreleased: true }, 'http', /deploy it$/],
])('by what is released: %s', (_name, means, service_type, why) => {
  const said = nobodyFor(means, fields(service_type))
  if (why === null) expect(said).toBeNull()
  else expect(said).toMatch(why)
})
