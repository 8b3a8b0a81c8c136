/** Certificates made by openssl, read by Node: what they say, and what is made to mislead. */
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readCertificate, readChain } from '../../../../src/features/certificates/x509/read-certificate.ts'
import { type CertificateAuthority, certificateAuthority } from '../../../fakes/certificate-authority.ts'
import { badDates, unknownKey } from '../../../fakes/doctored-certificates.ts'

let authority: CertificateAuthority
beforeAll(() => {
  authority = certificateAuthority()
})
afterAll(() => authority.close())

it.each<[string, string, readonly string[]]>([
  [
    'upper case, twice, out of order',
    'DNS:B.example.com,DNS:a.example.com,DNS:b.example.com',
    ['a.example.com', 'b.example.com'],
  ],
  ['a wildcard and its apex', 'DNS:example.com,DNS:*.example.com', ['*.example.com', 'example.com']],
  [
    'addresses and mail, which are no names',
    'IP:10.0.0.1,email:x@example.com,DNS:a.example.com',
    ['a.example.com'],
  ],
  ['only an address', 'IP:::1', []],
  ['none at all', '', []],
])('names: %s', (_title, raw_san, names) => {
  expect(readCertificate(authority.issue({ names: [], raw_san }).cert).names).toEqual(names)
})

it('a name that holds a comma is not two names', () => {
  // Within openssl's own file format a comma parts names, so it is put in afterwards, at the same length.
  const { cert } = authority.issue({ names: ['evil.example.comXXDNS:bank.example.com'] })
  const der = Buffer.from(new X509Certificate(cert).raw)
  der.write(', ', der.indexOf('XXDNS'), 'latin1')
  expect(readCertificate(pem(der)).names).toEqual([])
})

it('dates, serial, fingerprint and issuer are those that openssl wrote', () => {
  const facts = readCertificate(authority.issue({ names: ['a.example.com'], days: 60 }).cert)
  expect(facts.not_after - facts.not_before).toBe(60 * 86_400_000)
  expect(Math.abs(facts.not_before - Date.now())).toBeLessThan(120_000)
  expect(facts.issuer).toBe('Test Intermediate')
  expect(facts.serial).toMatch(/^[1-9a-f][0-9a-f]{0,39}$/)
  expect(facts.fingerprint).toMatch(/^[0-9a-f]{64}$/)
})

it('a chain is read in its order, and a key between is stepped over', () => {
  const { cert, key } = authority.issue({ names: ['a.example.com'] })
  const chain = readChain(`Bag Attributes\n${key}${cert}`)
  expect(chain.map(({ names }) => names)).toEqual([['a.example.com'], []])
  expect(readChain(cert.replaceAll('\n', '\r\n'))).toEqual(chain)
  expect(chain[0]).toEqual(readCertificate(cert))
})

it.each<[string, (cert: string) => string]>([
  ['nothing', () => ''],
  ['a key', () => authority.issue({ names: ['a.example.com'] }).key],
  ['one that is cut', (cert) => cert.slice(0, 300)],
  ['one whose bytes are garbage', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['a million beginnings', () => '-----BEGIN CERTIFICATE-----\n'.repeat(1e6)],
  ['dates that are none', (cert) => pem(badDates(cert))],
])('%s is a Failure, and quotes nothing', (_title, change) => {
  const text = change(authority.issue({ names: ['a.example.com'] }).cert)
  for (const read of [readCertificate, readChain])
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'Failure', code: 'malformed_request' }))
})

it('a key of an algorithm that nobody knows is unknown, and the rest is read', () => {
  const facts = readCertificate(pem(unknownKey(authority.issue({ names: ['a.example.com'] }).cert)))
  expect(facts).toMatchObject({ names: ['a.example.com'], key_type: 'unknown' })
})

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
