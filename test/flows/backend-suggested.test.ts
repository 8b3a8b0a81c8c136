/**
 * What a record of a backend over TLS is told to say, and what an exposure takes by itself: the gentlest trust that works, tried
 * with the real certificate on the wire.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { backendCertificates, type BackendCertificate } from '../fakes/backend-certificates.ts'
import { run } from './command.ts'
import { envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { tlsBackends } from './tls-backends.ts'
import { newFolder } from '../kit/new-folder.ts'

const backends = tlsBackends()
const { made } = backends
const others = Array.from({ length: 4 }, () => backendCertificates())
const HERE = 'DNS:nas.lan,IP:127.0.0.1'
const MANY = Array.from({ length: 200 }, (_, i) => `DNS:n${i}.lan`).join(',')
const CERTIFICATES = {
  private: made.make({ san: HERE, by: 'authority' }),
  private_elsewhere: made.make({ san: 'DNS:nas.lan', by: 'authority' }),
  private_star: made.make({ san: 'DNS:*.lan', by: 'authority' }),
  own: made.make({ san: HERE }),
  elsewhere: made.make({ san: 'DNS:nas.lan' }),
  expired: made.make({ san: HERE, days: -1 }),
  crowded: made.make({ san: MANY, by: 'authority' }),
} satisfies Record<string, BackendCertificate>
afterAll(async () => {
  for (const other of others) other[Symbol.dispose]()
  await backends[Symbol.asyncDispose]()
})

let at: TestHouse
let authorities: string
beforeEach(async () => {
  authorities = newFolder('authorities')
  writeFileSync(join(authorities, 'home.pem'), made.authority)
  for (const [i, { authority }] of others.entries())
    writeFileSync(join(authorities, `${i % 2 === 0 ? 'a' : 'z'}${i}.pem`), authority)
  at = await openTestHouse({ opened: false, env: { PLUMBLINE_BACKEND_CA_DIR: authorities } })
})
afterEach(() => at[Symbol.asyncDispose]())

const NAME = 'nas.example.com'
const BASE = { domain: NAME, service_type: 'http', environment: 'production', backend_host: '127.0.0.1' }

interface Transport {
  readonly works: boolean | null
  readonly certificate: { readonly names: readonly string[]; readonly more_names: number } | null
  readonly suggestion: Readonly<Record<string, unknown>> | null
  readonly detail: string
}

async function saved(fields: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await at.call('POST', '/api/domains', { body: { ...BASE, ...fields } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return `/api/domains/${String(answer.body['domain_id'])}`
}

async function looked(url: string): Promise<Transport> {
  const { body } = await at.call('GET', `${url}/effective-config?check_backend=true`)
  return body['backend_transport'] as unknown as Transport
}

const OVER_TLS = { backend_scheme: 'https' }
const HOME = { trust: 'ca', ca_name: 'home' }
const pin = ({ fingerprint }: BackendCertificate, more = {}) => ({
  trust: 'certificate',
  fingerprint,
  ...more,
})

describe('what is suggested', () => {
  itOneIn(12).each<[keyof typeof CERTIFICATES, object, object]>([
    ['private', {}, HOME],
    ['private', { ...OVER_TLS, backend_tls: { trust: 'insecure' } }, HOME],
    ['private', { ...OVER_TLS, backend_tls: { ...HOME, server_name: 'stranger.lan' } }, HOME],
    ['private_elsewhere', {}, { ...HOME, server_name: 'nas.lan' }],
    ['private_star', {}, { ...HOME, server_name: 'www.lan' }],
    ['private_star', { ...OVER_TLS, backend_tls: { ...HOME, server_name: 'pve.lan' } }, {}],
    [
      'private_elsewhere',
      { ...OVER_TLS, backend_tls: { trust: 'ca', pem: made.authority } },
      { trust: 'ca', pem: made.authority, server_name: 'nas.lan' },
    ],
    ['own', {}, pin(CERTIFICATES.own)],
    [
      'own',
      { ...OVER_TLS, backend_tls: { trust: 'system', server_name: 'stranger.lan' } },
      pin(CERTIFICATES.own),
    ],
    ['elsewhere', {}, pin(CERTIFICATES.elsewhere, { server_name: 'nas.lan' })],
    ['expired', {}, { trust: 'insecure' }],
    ['crowded', {}, { ...HOME, server_name: 'n0.lan' }],
  ])('for a certificate of the kind %s under %j is %j, and it works', async (kind, fields, backend_tls) => {
    const url = await saved({ backend_port: await backends.tls(CERTIFICATES[kind]), ...fields })
    const { suggestion, works } = await looked(url)
    if (Object.keys(backend_tls).length === 0) {
      expect({ suggestion, works }).toEqual({ suggestion: null, works: true })
      return
    }
    expect(suggestion).toEqual({ backend_scheme: 'https', backend_tls })
    const taken = await at.call('PUT', url, { body: suggestion })
    expect(taken.status, JSON.stringify(taken.body)).toBe(200)
    expect(await looked(url)).toMatchObject({ works: true, suggestion: null })
  })

  itInDepth('names the authority, and the name that is to be asked for', async () => {
    const url = await saved({ backend_port: await backends.tls(CERTIFICATES.private_elsewhere) })
    expect((await looked(url)).detail).toMatch(
      /authority "home" of PLUMBLINE_BACKEND_CA_DIR\. It is for nas\.lan/,
    )
  })

  itInDepth('of many names the first are shown, and how many more there are', async () => {
    const { certificate } = await looked(
      await saved({ backend_port: await backends.tls(CERTIFICATES.crowded) }),
    )
    expect(certificate!.names).toHaveLength(50)
    expect(certificate).toMatchObject({ more_names: 150 })
  })
})

describe('an exposure', () => {
  const expose = (fields: object, query = '') =>
    at.call('POST', `/api/domains/expose${query}`, {
      body: { domain: NAME, backend_host: '127.0.0.1', ...fields },
    })
  const record = async () => ((await at.call('GET', '/api/domains')).body as unknown as readonly object[])[0]

  it('takes https where nobody new is to be trusted, and says so', async () => {
    const backend_port = await backends.tls(CERTIFICATES.private)
    const answer = await expose({ backend_port })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.body['warnings']).toContainEqual(
      `backend_scheme is https, and backend_tls {"trust":"ca","ca_name":"home"}: that is how 127.0.0.1:${backend_port} is spoken to.`,
    )
    expect(await record()).toMatchObject({ backend_scheme: 'https', backend_tls: HOME })
  })

  itInDepth('takes h2c where nothing else is spoken', async () => {
    expect((await expose({ backend_port: await backends.h2c() })).status).toBe(200)
    expect(await record()).toMatchObject({ backend_scheme: 'h2c', backend_tls: null })
  })

  itOneIn(3).each<[keyof typeof CERTIFICATES, string]>([
    ['own', `"backend_tls":{"trust":"certificate","fingerprint":"${CERTIFICATES.own.fingerprint}"}`],
    ['private_elsewhere', '"backend_tls":{"trust":"ca","ca_name":"home","server_name":"nas.lan"}'],
    ['expired', '"backend_tls":{"trust":"insecure"}'],
  ])(
    'of a certificate of the kind %s has a person choose, and exposes nothing before',
    async (kind, choice) => {
      const backend_port = await backends.tls(CERTIFICATES[kind])
      const answer = await expose({ backend_port })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', 'backend_tls'] }] } })
      expect(JSON.stringify(answer.body['errors']).replaceAll('\\"', '"')).toContain(choice)
      expect((await at.call('GET', '/api/domains')).body).toEqual([])
      const chosen = JSON.parse(`{"backend_scheme":"https",${choice}}`) as object
      expect((await expose({ backend_port, ...chosen })).status).toBe(200)
      const as_is = await expose({ domain: 'b.example.com', backend_port, backend_scheme: 'http' })
      expect(as_is.status, JSON.stringify(as_is.body)).toBe(200)
    },
  )

  itInDepth('of plain http, and of nobody, is as ever; a dry run asks nobody', async () => {
    const plain = await expose({ backend_port: await backends.plain() })
    expect(plain).toMatchObject({
      status: 200,
      body: { warnings: expect.not.arrayContaining([/^backend_scheme/]) as unknown },
    })
    expect(await record()).toMatchObject({ backend_scheme: null, backend_tls: null })
    expect((await expose({ domain: 'b.example.com', backend_port: 1 })).status).toBe(200)
    const rehearsed = await expose(
      { domain: 'c.example.com', backend_port: await backends.tls(CERTIFICATES.own) },
      '?dry_run=true',
    )
    expect(rehearsed.status, JSON.stringify(rehearsed.body)).toBe(200)
  })
})

describe('what is unwise', () => {
  it('a certificate that has ended is said with every save and deploy, and by explain', async () => {
    const { cert: pem } = CERTIFICATES.expired
    const fields = { backend_port: 8006, ...OVER_TLS, backend_tls: { trust: 'certificate', pem } }
    const said = expect.stringMatching(
      /^nas\.example\.com: the certificate in backend_tls ended on \d{4}-\d\d-\d\d, so the proxy refuses the backend/,
    ) as unknown
    const answer = await at.call('POST', '/api/domains', { body: { ...BASE, ...fields } })
    expect(answer).toMatchObject({ status: 201, body: { warnings: [said] } })
    const url = `/api/domains/${String(answer.body['domain_id'])}`
    expect((await at.call('POST', `${url}/activate`)).body['warnings']).toContainEqual(said)
    expect((await at.call('GET', `${url}/explain`)).body['warnings']).toEqual([said])
    const good = { backend_tls: { trust: 'certificate', pem: CERTIFICATES.own.cert } }
    expect((await at.call('PUT', url, { body: good })).body['warnings']).toEqual([])
  })

  itInDepth('trust in nobody is said by the record, by explain and by doctor', async () => {
    const url = await saved({ backend_port: 8006, ...OVER_TLS, backend_tls: { trust: 'insecure' } })
    const said = expect.stringMatching(/^backend_tls is insecure/) as unknown
    const { body } = await at.call('GET', url)
    expect(body).toMatchObject({ backend_warning: said })
    expect((await at.call('GET', '/api/domains')).body).toMatchObject([{ backend_warning: said }])
    expect((await at.call('GET', `${url}/explain`)).body).toMatchObject({ warnings: [said] })
    expect((await at.call('PUT', url, { body })).status).toBe(200)
    expect((await at.call('POST', `${url}/activate`)).status).toBe(200)
    await at.house.close()
    const env = { ...envIn(at.directory), PLUMBLINE_BACKEND_CA_DIR: authorities }
    expect((await run(['doctor'], env)).out).toMatch(/^warn backend_tls: insecure: .* of nas\.example\.com,/m)
    expect((await run(['explain', NAME], env)).out).toMatch(/^ {2}warning backend_tls is insecure/m)
  })

  itInDepth('a backend that is looked at has no such word', async () => {
    const url = await saved({ backend_port: 8006, ...OVER_TLS })
    expect((await at.call('GET', url)).body).toMatchObject({ backend_warning: null })
    expect((await at.call('GET', `${url}/explain`)).body).toMatchObject({ warnings: [] })
  })
})
