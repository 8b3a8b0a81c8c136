/** Failed handshakes in words: of every code that Node's documentation lists for certificates, and none of its flags. */
import { expect, test } from 'vitest'
import { tlsWords } from '../../../src/kernel/text/tls-words.ts'

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not trusted'],
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'another name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'TLS handshake'],
])('%s', (code, words) => {
  expect(tlsWords(code, null)).toContain(words)
})

test('only what an authority mends names where one is told', () => {
  expect(tlsWords('SELF_SIGNED_CERT_IN_CHAIN', 'PLUMBLINE_SMTP_CA_FILE')).toContain('PLUMBLINE_SMTP_CA_FILE')
  expect(tlsWords('CERT_HAS_EXPIRED', 'PLUMBLINE_SMTP_CA_FILE')).not.toContain('PLUMBLINE')
  expect([tlsWords('ECONNREFUSED', 'X'), tlsWords(null, 'X')]).toEqual([null, null])
})
