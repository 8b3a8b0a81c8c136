/**
 * Backends that speak TLS, from the record to the answer: what a record says of trust is what a proxy as strict as Traefik
 * does with the certificate on the wire.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import type { BackendCertificate } from '../fakes/backend-certificates.ts'
import { got } from '../fakes/traefik/at-traefik.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { tlsBackends } from './tls-backends.ts'

const backends = tlsBackends()
const { made } = backends
const HERE = 'DNS:nas.lan,IP:127.0.0.1'
const CERTIFICATES = {
  private: made.make({ san: HERE, by: 'authority' }),
  own: made.make({ san: HERE }),
  elsewhere: made.make({ san: 'DNS:nas.lan' }),
  expired: made.make({ san: HERE, days: -1 }),
  nameless: made.make({ san: '' }),
} satisfies Record<string, BackendCertificate>
const { cert: own_pem } = CERTIFICATES.own
afterAll(() => backends[Symbol.asyncDispose]())

let at: TestHouse
let traefik: FakeTraefik
let authorities: string
beforeEach(async () => {
  authorities = mkdtempSync(join(tmpdir(), 'plumbline-authorities-'))
  writeFileSync(join(authorities, 'home.pem'), made.authority)
  at = await openTestHouse({ opened: false, env: { PLUMBLINE_BACKEND_CA_DIR: authorities } })
  traefik = await startFakeTraefik()
})
afterEach(async () => {
  await traefik.stop()
  await at[Symbol.asyncDispose]()
  rmSync(authorities, { recursive: true, force: true })
})

const NAME = 'nas.example.com'
const served = async (fields: Readonly<Record<string, unknown>>) => {
  await createActive(at.call, { domain: NAME, auth_required: false, backend_host: '127.0.0.1', ...fields })
  traefik.follow(at.house.routes_path)
  return got(traefik, { entrypoint: 'websecure', host: NAME })
}

const SYSTEM = { trust: 'system' }
const INSECURE = { trust: 'insecure' }
const BY_NAME = { trust: 'ca', ca_name: 'home' }
const BY_PEM = { trust: 'ca', pem: made.authority }
const PINNED = { trust: 'certificate', pem: own_pem }
const pin = ({ cert: pem }: BackendCertificate, more = {}) => ({ trust: 'certificate', pem, ...more })

it.each<[keyof typeof CERTIFICATES, object | null, number]>([
  ['private', null, 500],
  ['private', SYSTEM, 500],
  ['private', BY_NAME, 200],
  ['private', BY_PEM, 200],
  ['private', { ...BY_PEM, server_name: 'nas.lan' }, 200],
  ['private', { ...BY_PEM, server_name: 'other.lan' }, 500],
  ['private', pin(CERTIFICATES.private), 200],
  ['private', PINNED, 500],
  ['private', INSECURE, 200],
  ['own', null, 500],
  ['own', BY_NAME, 500],
  ['own', PINNED, 200],
  ['own', INSECURE, 200],
  ['elsewhere', pin(CERTIFICATES.elsewhere, { server_name: 'nas.lan' }), 200],
  ['elsewhere', { trust: 'ca', pem: CERTIFICATES.elsewhere.cert }, 500],
  ['elsewhere', INSECURE, 200],
  ['expired', pin(CERTIFICATES.expired), 500],
  ['expired', INSECURE, 200],
  ['nameless', { trust: 'ca', pem: CERTIFICATES.nameless.cert }, 500],
  ['nameless', INSECURE, 200],
])('a certificate of the kind %s under %j answers %i', async (kind, backend_tls, status) => {
  const backend_port = await backends.tls(CERTIFICATES[kind])
  const answer = await served({ backend_port, backend_scheme: 'https', backend_tls })
  expect(answer.status, answer.text).toBe(status)
  if (status === 200) expect(answer.text).toBe(`TLS ${NAME}`)
})

it('HTTP/2 without TLS is spoken where the record says so, and nowhere else', async () => {
  const backend_port = await backends.h2c()
  expect(await served({ backend_port, backend_scheme: 'h2c' })).toMatchObject({
    status: 200,
    text: `h2c ${NAME}`,
  })
})

it('plain HTTP to a TLS port is what a record gets that says nothing', async () => {
  const backend_port = await backends.tls(CERTIFICATES.own)
  expect((await served({ backend_port })).status).not.toBe(200)
})

it('trust in nobody is said when it is saved, and shown by the record', async () => {
  const fields = { domain: NAME, backend_scheme: 'https', backend_tls: INSECURE }
  const answer = await at.call('POST', '/api/domains', {
    body: {
      service_type: 'http',
      environment: 'production',
      backend_host: '10.0.0.5',
      backend_port: 8006,
      ...fields,
    },
  })
  expect(answer.body).toMatchObject({ warnings: [expect.stringMatching(/^backend_tls is insecure/)] })
  const { body } = await at.call('GET', `/api/domains/${String(answer.body['domain_id'])}`)
  expect(body).toMatchObject(fields)
  const again = await at.call('PUT', `/api/domains/${String(answer.body['domain_id'])}`, { body })
  expect(again.status, JSON.stringify(again.body)).toBe(200)
  expect(again.body).toMatchObject({ warnings: [expect.stringMatching(/^backend_tls is insecure/)] })
})

it('a transport that somebody edits is drift of its domain, and put right', async () => {
  await served({ backend_port: 8443, backend_scheme: 'https', backend_tls: BY_NAME })
  const text = at.routes()
  expect(text).toContain('"plumbline-transport_nas.example.com":\n      rootCAs:')
  writeFileSync(at.house.routes_path, text.replace(/rootCAs:\n.*\n/, 'insecureSkipVerify: true\n'))
  const { body } = await at.call('GET', '/api/domains/drift')
  expect(body).toMatchObject({
    drift: true,
    differences: [
      {
        item: 'http.serversTransports.plumbline-transport_nas.example.com',
        cause: 'edited',
        domains: [NAME],
      },
    ],
  })
  expect((await at.call('POST', '/api/deploy-proxy')).status).toBe(200)
  expect(at.routes()).toBe(text)
})

it('a transport goes with what asked for it', async () => {
  await served({ backend_port: 8443, backend_scheme: 'https', backend_tls: INSECURE })
  const [{ id }] = (await at.call('GET', '/api/domains')).body as unknown as [{ id: number }]
  const plain = { backend_scheme: null, backend_tls: null }
  expect((await at.call('PUT', `/api/domains/${id}`, { body: plain })).status).toBe(200)
  expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
  expect(at.routes()).not.toContain('ransport')
})
