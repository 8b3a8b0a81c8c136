/** A chain is whole when each certificate is signed by the next and nothing else stands in the file. */
import { afterAll, expect, test } from 'vitest'
import { isWholeChain, plainKey } from '../../../../src/features/certificates/x509/whole-chain.ts'
import { certificateAuthority } from '../../../fakes/certificate-authority.ts'

const authority = certificateAuthority()
const other = certificateAuthority('Another')
afterAll(() => {
  authority.close()
  other.close()
})
const { cert, key } = authority.issue({ names: ['app.example.com'] })
const [LEAF, ISSUER] = cert.split(/(?<=-----END CERTIFICATE-----\n)/) as [string, string]
const STRANGER = other
  .issue({ names: ['app.example.com'] })
  .cert.split(/(?<=-----END CERTIFICATE-----\n)/)[1]!

test.each<[string, string, boolean]>([
  ['leaf and issuer', cert, true],
  ['with blank lines', `\n${LEAF}\n\n${ISSUER}\n`, true],
  ['one that signed itself', ISSUER, true],
  ['a leaf alone', LEAF, false],
  ['another issuer', LEAF + STRANGER, false],
  ['the wrong order', ISSUER + LEAF, false],
  ['a frame that is none', cert.replace(/BEGIN(?=[^]*END[^]*$)(?![^]*BEGIN)/, 'BEGUN'), false],
  ['half an issuer', cert.slice(0, -60), false],
  ['a note', `# mine\n${cert}`, false],
  ['nothing', '', false],
])('%s', (_title, pem, whole) => {
  expect(isWholeChain(pem)).toBe(whole)
})

test('a key has one spelling of ours', () => {
  const plain = plainKey(key)
  expect(plain).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(plainKey(`note\n${key.replaceAll('\n', '\r\n')}`)).toBe(plain)
  expect([plainKey(''), plainKey(key.slice(0, -80))]).toEqual([null, null])
})
