/** Why a live name has no certificate of its own: by what is released, by what lies beside the routes file, and by who can prove it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CertificateAuthority, certificateAuthority } from '../fakes/certificate-authority.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

const APP = 'app.example.com'
const NEITHER = /^neither a resolver of the proxy nor an authority is set up/

let authority: CertificateAuthority
beforeAll(() => {
  authority = certificateAuthority()
})
afterAll(() => authority.close())

const houseWith = (env: Readonly<Record<string, string>>, directory?: string) =>
  openTestHouse({ opened: false, env, ...(directory !== undefined && { directory }) })

/** The same installation after a restart with other settings. */
async function restarted(at: TestHouse, env: Readonly<Record<string, string>>): Promise<TestHouse> {
  await at.house.close()
  return houseWith(env, at.directory)
}

const NO_RESOLVER = { PLUMBLINE_CERT_RESOLVER: '' }

async function why({ call }: TestHouse, id: number): Promise<unknown> {
  const { status, body } = await call('GET', `/api/domains/${id}/explain`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body['no_certificate']
}

const DIRECTORY = 'https://127.0.0.1:9/directory'
const MANAGER = { ...NO_RESOLVER, PLUMBLINE_CERTIFICATES: 'manager', PLUMBLINE_ACME_DIRECTORY: DIRECTORY }
const ZONES = { PLUMBLINE_DNS_PROVIDER: 'zonefile', PLUMBLINE_DNS_ZONES: 'example.com' }

itInDepth(
  'what was set up after the deploy obtains nothing before the next one, and what cannot be proven never does',
  async () => {
    const first = await houseWith(NO_RESOLVER)
    const id = await createActive(first.call)
    expect(await why(first, id)).toMatch(NEITHER)

    const unproven = await restarted(first, MANAGER)
    expect(await why(unproven, id)).toBe(
      'it is proven to the authority by a record in DNS (DNS-01), and no DNS account is set up: set one up in PLUMBLINE_DNS_PROVIDER',
    )
    const { body } = await unproven.call('POST', '/api/domains/check', {
      body: { domain: 'new.example.com' },
    })
    expect(JSON.stringify(body)).toMatch(/None covers it, and nobody obtains one: .*no DNS account is set up/)
    const proven = await restarted(unproven, { ...MANAGER, ...ZONES })
    expect(await why(proven, id)).toBe('the authority was set up after its last deploy: deploy it')

    await using at = await restarted(proven, { PLUMBLINE_CERT_RESOLVER: 'le' })
    expect(await why(at, id)).toBe(
      'its routes were deployed before PLUMBLINE_CERT_RESOLVER named le, and ask no resolver: deploy it',
    )
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
    expect(await why(at, id)).toBeNull()
  },
)

itInDepth('a resolver that is named no more goes on until the next deploy', async () => {
  const first = await houseWith({ PLUMBLINE_CERT_RESOLVER: 'le' })
  const id = await createActive(first.call)
  await using at = await restarted(first, NO_RESOLVER)
  expect(await why(at, id)).toBeNull()
  expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
  expect(await why(at, id)).toMatch(NEITHER)
})

itInDepth('an authority that orders obtains it, however the order stands', async () => {
  await using at = await houseWith({ ...MANAGER, ...ZONES })
  const id = await create(at.call, { static_ip: '203.0.113.7' })
  expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(503)
  expect(await why(at, id)).toBeNull()
})

itInDepth('an authority without any way to prove the name is told beside the order that fails', async () => {
  await using at = await houseWith(MANAGER)
  const id = await create(at.call)
  expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(503)
  expect(await why(at, id)).toMatch(/no DNS account is set up/)
})

it('a certificate that somebody names beside the routes file covers the name while it is there and lasts', async () => {
  await using at = await houseWith(NO_RESOLVER)
  const id = await createActive(at.call)
  const held = join(at.directory, 'held')
  mkdirSync(held)
  const [cert, key] = [join(held, 'app.pem'), join(held, 'app.key')]
  const give = (names: readonly string[], days = 60) => {
    const issued = authority.issue({ names, days })
    writeFileSync(cert, issued.cert)
    writeFileSync(key, issued.key)
    return issued
  }
  const tell = (text: string, file = 'tls.yml') =>
    writeFileSync(join(dirname(at.house.routes_path), file), text)
  tell(`tls:\n  certificates:\n    - certFile: ${cert}\n      keyFile: ${key}\n`)
  expect(await why(at, id), 'not there').toMatch(NEITHER)
  give(['other.example.com'])
  expect(await why(at, id), 'of another name').toMatch(NEITHER)
  give([APP], -1)
  expect(await why(at, id), 'ended').toMatch(NEITHER)
  const issued = give(['*.example.com'])
  expect(await why(at, id), 'covered').toBeNull()
  tell('tls:\n  certificates: [\n')
  expect(await why(at, id), 'no YAML').toMatch(NEITHER)
  tell(`tls:\n  certificates:\n    - certFile: ${cert}\n      keyFile: ${held}/gone.key\n`)
  expect(await why(at, id), 'without its key').toMatch(NEITHER)
  tell('', 'tls.yml')
  const text = JSON.stringify(issued.cert)
  tell(
    `[tls.stores.default.defaultCertificate]\ncertFile = ${text}\nkeyFile = ${JSON.stringify(issued.key)}\n`,
    'own.toml',
  )
  expect(await why(at, id), 'as text, for every name').toBeNull()
})
