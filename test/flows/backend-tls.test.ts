/**
 * Backends that speak TLS, from the record to the answer: what a record says of trust is what a proxy as strict as Traefik
 * does with the certificate on the wire.
 */
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import type { BackendCertificate } from '../fakes/backend-certificates.ts'
import { got } from '../fakes/traefik/at-traefik.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { tlsBackends } from './tls-backends.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const backends = tlsBackends()
const { made } = backends
const HERE = 'DNS:nas.lan,IP:127.0.0.1'
const CERTIFICATES = {
  private: made.make({ san: HERE, by: 'authority' }),
  own: made.make({ san: HERE }),
  elsewhere: made.make({ san: 'DNS:nas.lan' }),
  expired: made.make({ san: HERE, days: -1 }),
  nameless: made.make({ san: '' }),
  strayed: made.strayed(HERE),
} satisfies Record<string, BackendCertificate>
const { cert: own_pem } = CERTIFICATES.own
afterAll(() => backends[Symbol.asyncDispose]())

let at: TestHouse
let traefik: FakeTraefik
let authorities: string
beforeEach(async () => {
  authorities = newFolder('authorities')
  writeFileSync(join(authorities, 'home.pem'), made.authority)
  at = await openTestHouse({ opened: false, env: { PLUMBLINE_BACKEND_CA_DIR: authorities } })
  traefik = await startFakeTraefik()
})
afterEach(async () => {
  await traefik.stop()
  await at[Symbol.asyncDispose]()
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

itOneIn(7).each<[keyof typeof CERTIFICATES, object | null, number]>([
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
  ['strayed', null, 500],
])('a certificate of the kind %s under %j answers %i', async (kind, backend_tls, status) => {
  const backend_port = await backends.tls(CERTIFICATES[kind])
  const answer = await served({ backend_port, backend_scheme: 'https', backend_tls })
  expect(answer.status, answer.text).toBe(status)
  if (status === 200) expect(answer.text).toBe(`TLS ${NAME}`)
})

itInDepth('HTTP/2 without TLS is spoken where the record says so, and nowhere else', async () => {
  const backend_port = await backends.h2c()
  expect(await served({ backend_port, backend_scheme: 'h2c' })).toMatchObject({
    status: 200,
    text: `h2c ${NAME}`,
  })
})

itInDepth('plain HTTP to a TLS port is what a record gets that says nothing', async () => {
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

itInDepth('trust in nobody is said by every deploy that leads there', async () => {
  const body = { domain: NAME, service_type: 'http', environment: 'production', backend_host: '10.0.0.5' }
  const made_one = await at.call('POST', '/api/domains', {
    body: { ...body, backend_port: 8006, backend_scheme: 'https', backend_tls: INSECURE },
  })
  const url = `/api/domains/${String(made_one.body['domain_id'])}`
  const said = {
    warnings: expect.arrayContaining([expect.stringMatching(`^${NAME}: backend_tls is insecure`)]) as unknown,
  }
  for (const path of [`${url}/activate`, `${url}/deploy`, '/api/deploy-all', '/api/deploy-proxy']) {
    const answer = await at.call('POST', path)
    expect(answer.status).toBe(200)
    expect(answer.body, path).toMatchObject(said)
  }
  expect((await at.call('POST', `${url}/deploy?dry_run=true`)).body).toMatchObject({ plan: said })
})

itInDepth('a transport that somebody edits is drift of its domain, and put right', async () => {
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

interface Transport {
  readonly works: boolean | null
  readonly speaks: string | null
  readonly certificate: { readonly fault: string | null; readonly fingerprint: string } | null
  readonly detail: string
  readonly suggestion: { readonly backend_scheme: string; readonly backend_tls: object | null } | null
}

/** What is said of a record before anybody deploys it, by both who look. */
async function looked(fields: Readonly<Record<string, unknown>>): Promise<Transport> {
  const body = {
    domain: NAME,
    service_type: 'http',
    environment: 'production',
    backend_host: '127.0.0.1',
    ...fields,
  }
  const made_one = await at.call('POST', '/api/domains', { body })
  expect(made_one.status, JSON.stringify(made_one.body)).toBe(201)
  const url = `/api/domains/${String(made_one.body['domain_id'])}`
  const checked = (await at.call('GET', `${url}/effective-config?check_backend=true`)).body
  const detected = (await at.call('POST', `${url}/autodetect`, { body: {} })).body
  expect(detected['backend_transport']).toEqual(checked['backend_transport'])
  return checked['backend_transport'] as unknown as Transport
}

const OVER_TLS = { backend_scheme: 'https' }

itOneIn(12).each<[keyof typeof CERTIFICATES, object, object]>([
  ['own', {}, { works: false, speaks: 'https', detail: /^It speaks TLS, .*compare the fingerprint/ }],
  ['own', OVER_TLS, { works: false, detail: /nobody whom the record trusts: visitors get 500/ }],
  ['own', { ...OVER_TLS, backend_tls: PINNED }, { works: true, suggestion: null }],
  ['own', { ...OVER_TLS, backend_tls: INSECURE }, { works: true, detail: /insecure/ }],
  ['own', { ...OVER_TLS, backend_tls: BY_NAME }, { works: false }],
  ['private', { ...OVER_TLS, backend_tls: BY_NAME }, { works: true, suggestion: null }],
  ['private', { ...OVER_TLS, backend_tls: PINNED }, { works: false }],
  ['elsewhere', OVER_TLS, { works: false, detail: /nobody whom the record trusts/ }],
  [
    'elsewhere',
    { ...OVER_TLS, backend_tls: { trust: 'ca', pem: CERTIFICATES.elsewhere.cert } },
    { works: false, detail: /for another name/ },
  ],
  [
    'expired',
    { ...OVER_TLS, backend_tls: pin(CERTIFICATES.expired) },
    { works: false, detail: /has expired.*Only trust insecure/ },
  ],
  ['strayed', OVER_TLS, { works: false, detail: /nobody whom the record trusts/ }],
  ['nameless', OVER_TLS, { works: false, detail: /no name.*Only trust insecure/ }],
])(
  'of a certificate of the kind %s under %j is said %o',
  async (kind, fields, { detail, ...said }: { detail?: RegExp }) => {
    const backend_port = await backends.tls(CERTIFICATES[kind])
    const found = await looked({ backend_port, ...fields })
    expect(found).toMatchObject(said)
    if (detail !== undefined) expect(found.detail).toMatch(detail)
  },
)

itInDepth.each<[keyof typeof CERTIFICATES, object]>([
  ['private', BY_NAME],
  ['own', { trust: 'certificate', fingerprint: CERTIFICATES.own.fingerprint }],
  [
    'elsewhere',
    { trust: 'certificate', fingerprint: CERTIFICATES.elsewhere.fingerprint, server_name: 'nas.lan' },
  ],
  ['expired', INSECURE],
  ['nameless', INSECURE],
])('for a certificate of the kind %s, %j is suggested', async (kind, backend_tls) => {
  const backend_port = await backends.tls(CERTIFICATES[kind])
  expect((await looked({ backend_port })).suggestion).toEqual({ backend_scheme: 'https', backend_tls })
})

itInDepth('HTTP/2 without TLS and plain HTTP are found out, too', async () => {
  const h2c = await backends.h2c()
  const to_h2c = await looked({ backend_port: h2c })
  expect(to_h2c).toMatchObject({ works: false, speaks: 'h2c', suggestion: { backend_scheme: 'h2c' } })
  const plain = await backends.plain()
  expect(await looked({ domain: 'b.example.com', backend_port: plain, ...OVER_TLS })).toMatchObject({
    works: false,
    speaks: 'http',
    certificate: null,
    suggestion: { backend_scheme: 'http', backend_tls: null },
  })
  expect(await looked({ domain: 'c.example.com', backend_port: plain })).toMatchObject({
    works: true,
    suggestion: null,
  })
})

const by = (fingerprint: string, more = {}) => ({ trust: 'certificate', fingerprint, ...more })
const fieldsAt = (backend_port: number, backend_tls: object) => ({
  domain: NAME,
  service_type: 'http',
  environment: 'production',
  auth_required: false,
  backend_host: '127.0.0.1',
  backend_port,
  backend_scheme: 'https',
  backend_tls,
})

it('a certificate that is named by its fingerprint is fetched when the record is saved, and then served by', async () => {
  const { own } = CERTIFICATES
  const backend_port = await backends.tls(own)
  const colons = own.fingerprint.toUpperCase().replace(/..(?!$)/g, '$&:')
  const answer = await served({ backend_port, backend_scheme: 'https', backend_tls: by(colons) })
  expect(answer).toMatchObject({ status: 200, text: `TLS ${NAME}` })
  const [record] = (await at.call('GET', '/api/domains')).body as unknown as [{ id: number }]
  expect(record).toMatchObject({
    backend_tls: { trust: 'certificate', fingerprint: own.fingerprint, pem: own.cert },
  })
  // What is there needs no backend: the same fingerprint again, at a port where nobody listens.
  const moved = await at.call('PUT', `/api/domains/${record.id}`, {
    body: { backend_port: 1, backend_tls: by(own.fingerprint) },
  })
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
})

itInDepth('the estate and expose fetch it, too', async () => {
  const { own } = CERTIFICATES
  const fields = fieldsAt(await backends.tls(own), by(own.fingerprint))
  const exposed = await at.call('POST', '/api/domains/expose', { body: fields })
  expect(exposed.status, JSON.stringify(exposed.body)).toBe(200)
  const domains = [{ ...fields, domain: 'b.example.com' }]
  const applied = await at.call('POST', '/api/estate', { body: { domains } })
  expect(applied.status, JSON.stringify(applied.body)).toBe(200)
  const list = (await at.call('GET', '/api/domains')).body as unknown as readonly object[]
  expect(list).toHaveLength(2)
  for (const record of list) expect(record).toMatchObject({ backend_tls: { pem: own.cert } })
})

itOneIn(5).each<[string, () => Promise<object>, RegExp]>([
  [
    'another one answers',
    async () => fieldsAt(await backends.tls(CERTIFICATES.own), by(CERTIFICATES.private.fingerprint)),
    new RegExp(`which is ${CERTIFICATES.own.fingerprint}`),
  ],
  [
    'it is for another name',
    async () => fieldsAt(await backends.tls(CERTIFICATES.elsewhere), by(CERTIFICATES.elsewhere.fingerprint)),
    /for nas\.lan and not for 127\.0\.0\.1: set server_name/,
  ],
  [
    'it has no name',
    async () => fieldsAt(await backends.tls(CERTIFICATES.nameless), by(CERTIFICATES.nameless.fingerprint)),
    /without names.*insecure/,
  ],
  [
    'it speaks no TLS',
    async () => fieldsAt(await backends.plain(), by(CERTIFICATES.own.fingerprint)),
    /cannot be fetched from 127\.0\.0\.1:\d+ \(tls failed\)/,
  ],
  ['nobody listens', () => Promise.resolve(fieldsAt(1, by(CERTIFICATES.own.fingerprint))), /\(refused\)/],
])('nothing is saved where %s', async (_what, fields, msg) => {
  const answer = await at.call('POST', '/api/domains', { body: await fields() })
  expect(answer.status).toBe(422)
  const [error] = answer.body['errors'] as unknown as [{ loc: string[]; msg: string }]
  expect(error).toMatchObject({ loc: ['body', 'backend_tls'], msg: expect.stringMatching(msg) as string })
  expect((await at.call('GET', '/api/domains')).body).toEqual([])
})

it('a dry run asks nobody: whoever may only look must not choose where this host connects', async () => {
  let met = 0
  const listener = createServer((socket) => {
    met++
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  try {
    const fields = fieldsAt((listener.address() as AddressInfo).port, by(CERTIFICATES.own.fingerprint))
    const calls = [
      at.call('POST', '/api/domains?dry_run=true', { body: fields }),
      at.call('POST', '/api/domains/expose?dry_run=true', { body: fields }),
      at.call('POST', '/api/estate?dry_run=true', { body: { domains: [fields] } }),
    ]
    for (const answer of await Promise.all(calls)) {
      expect(answer.status).toBe(422)
      expect(JSON.stringify(answer.body)).toContain('a dry run asks nobody: send pem')
    }
    expect(met).toBe(0)
  } finally {
    listener.close()
  }
})
