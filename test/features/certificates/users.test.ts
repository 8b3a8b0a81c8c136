/** Which domains a certificate serves: the tables agree with the rule. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { covers } from '../../../src/model/network/certificate.ts'
import { certificateUsers } from '../../../src/features/certificates/users.ts'
import { anIntent } from '../../fixtures.ts'

it('a domain with TLS that is deployed, by its name or a wildcard one label above', () => {
  const { rows } = anIntent(
    { domain: 'app.example.com' },
    { domain: 'deep.app.example.com' },
    { domain: 'example.com' },
    { domain: '*.example.com' },
    { domain: 'plain.example.com', ssl_enabled: false },
    { domain: 'gone.example.com', live: false },
  )
  const users = certificateUsers(rows)
  const of = (...names: string[]) => users(names).map(({ domain }) => domain)
  expect(of('*.example.com')).toEqual(['*.example.com', 'app.example.com'])
  expect(of('example.com', '*.example.com')).toEqual(['*.example.com', 'app.example.com', 'example.com'])
  expect(of('app.example.com', '*.example.com')).toEqual(['*.example.com', 'app.example.com'])
  expect(of('other.example.com')).toEqual([])
  expect(of()).toEqual([])
})

it('exactly those that the certificate covers', () => {
  const label = fc.constantFrom('a', 'b', 'example', 'com')
  const name = fc
    .tuple(fc.boolean(), fc.array(label, { minLength: 1, maxLength: 3 }))
    .map(([wild, labels]) => (wild ? '*.' : '') + labels.join('.'))
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.array(name), (domains, names) => {
      const { rows } = anIntent(...domains.map((domain) => ({ domain })))
      expect(certificateUsers(rows)(names).map(({ domain }) => domain)).toEqual(
        domains.filter((domain) => covers(names, domain)).sort(),
      )
    }),
  )
})
