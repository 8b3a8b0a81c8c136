/** Requests, renewal ids and answers as bytes: what openssl reads, what the RFC prints, and that no bytes do harm. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAccountKey } from '../../../../src/features/certificates/acme/session.ts'
import { ariId } from '../../../../src/features/certificates/acme/ari-id.ts'
import { makeRequest } from '../../../../src/features/certificates/acme/make-request.ts'
import { readDirectory } from '../../../../src/features/certificates/acme/directory.ts'
import { problemIn } from '../../../../src/features/certificates/acme/problem.ts'
import { objectIn } from '../../../../src/features/certificates/acme/read-json.ts'
import {
  readAuthorization,
  readOrder,
  readWindow,
} from '../../../../src/features/certificates/acme/read-order.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { HttpReply } from '../../../../src/ports/http-client.ts'
import { runTool } from '../../../peers/peer.ts'
import { describePeers } from '../../../peers/peers.ts'
import { runs } from '../../../kit/tier.ts'
import { newFolder } from '../../../kit/new-folder.ts'

/** RFC 9773, appendix A. */
const RFC_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`

describe('the renewal id', () => {
  it('of the RFC’s own example is the one that the RFC prints', () => {
    expect(ariId(RFC_CERTIFICATE)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  })

  it.each(['', 'no PEM', RFC_CERTIFICATE.slice(0, 200)])('of what is no certificate is null', (text) => {
    expect(ariId(text)).toBeNull()
  })

  it('of a damaged certificate is null or a text, never an error', () => {
    const [head, ...rest] = RFC_CERTIFICATE.trim().split('\n')
    const body = Buffer.from(rest.slice(0, -1).join(''), 'base64')
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(255), (at, value) => {
        const damaged = Buffer.from(body)
        damaged[at] = value
        const id = ariId(`${head}\n${damaged.toString('base64')}\n${rest.at(-1)}\n`)
        expect(id === null || /^[\w-]*\.[\w-]*$/.test(id)).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })
})

describePeers(['openssl'], 'a certificate request', () => {
  const directory = newFolder('csr')

  it.each([
    ['one name', ['app.example.org']],
    ['an apex and its wildcard', ['example.org', '*.example.org']],
    ['a hundred names', Array.from({ length: 100 }, (_, i) => `host-${i}.some-longer-name.example.org`)],
  ])('for %s: openssl reads the names, and finds the signature good', async (_what, names) => {
    const { key_pem, csr } = await makeRequest(names)
    const file = join(directory, 'request.csr')
    writeFileSync(file, csr)
    const asked = ['req', '-inform', 'DER', '-in', file, '-verify', '-noout']
    const text = await runTool('openssl', [...asked, '-text'])
    expect([...text.matchAll(/DNS:([^\s,]+)/g)].map(([, name]) => name)).toEqual(names)
    expect(text).toMatch(/Subject:\s*\n/)
    expect(text).toContain('ASN1 OID: prime256v1')
    const shown = await runTool('openssl', [...asked, '-pubkey'])
    const key = createPublicKey(createPrivateKey(key_pem)).export({ type: 'spki', format: 'pem' })
    expect(shown.trim()).toBe(key.toString().trim())
  })

  it.each([
    [[]],
    [['']],
    [['UPPER.example.org']],
    [['a b.org']],
    [['a,DNS:b.org']],
    [['x.*.org']],
    [['-x.org']],
  ])('for %j is refused', async (names) => {
    await expect(makeRequest(names)).rejects.toMatchObject({ code: 'malformed_request' })
  })
})

describe('the account’s key', () => {
  const pemOf = ({ privateKey }: { readonly privateKey: KeyObject }) =>
    new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())

  it.each([
    ['EC P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EC P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const)('of the kind %s is taken', (_kind, pair) => {
    expect(() => checkAccountKey(pemOf(pair))).not.toThrow()
  })

  it.each([
    ['Ed25519', generateKeyPairSync('ed25519')],
    ['EC secp256k1', generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
  ])('of the kind %s is a configuration fault', (_kind, pair) => {
    expect(() => checkAccountKey(pemOf(pair))).toThrow(Failure)
  })
})

describe('any JSON that an authority may answer with', () => {
  const reply = (body: unknown): HttpReply => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(body),
    retry_after_ms: null,
  })
  const status = fc.constantFrom('pending', 'ready', 'valid', 'invalid', 'weird', null)
  const near = fc.record(
    {
      status,
      type: fc.string(),
      detail: fc.string({ unit: 'binary' }),
      subproblems: fc.anything(),
      finalize: fc.constantFrom('https://ca.example/f', 'http://ca.example/f', 7),
      authorizations: fc.anything(),
      identifiers: fc.anything(),
      identifier: fc.anything(),
      challenges: fc.anything(),
      error: fc.anything(),
      suggestedWindow: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const readers = [
    (one: HttpReply) => readOrder(objectIn(one), 'ca.example', 'https://ca.example/o'),
    (one: HttpReply) => readAuthorization(objectIn(one), 'ca.example', 'https://ca.example/a'),
    (one: HttpReply) => readDirectory(one, 'https://ca.example/d'),
    (one: HttpReply) => readWindow(one, 'ca.example'),
    (one: HttpReply) => problemIn(one),
  ]

  it('is read, or it is a Failure in one line', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          near.map(
            (value) =>
              JSON.parse(
                JSON.stringify(value, (_k, v: unknown) => (typeof v === 'bigint' ? null : v)),
              ) as unknown,
          ),
        ),
        (body) => {
          for (const read of readers)
            try {
              read(reply(body))
            } catch (error) {
              expect(error).toBeInstanceOf(Failure)
              // eslint-disable-next-line no-control-regex
              expect((error as Failure).message).not.toMatch(/[\u0000-\u001f]/)
            }
        },
      ),
      { numRuns: 500 },
    )
  })
})
