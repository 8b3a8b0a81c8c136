/** What each name is served is looked at by a handshake: another certificate than its own is drift wherever drift is told. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../fakes/certificate-authority.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { passingClock } from './passing-clock.ts'
import { create, createActive, openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

const APP = 'app.example.com'
const OTHER = 'other.example.com'
const KEY = 'certificates_served'
/** All that is wrong with those of the test's own authority. */
const UNTRUSTED = expect.stringContaining('not trusted by this host')

let authority: CertificateAuthority
let good: Issued
beforeAll(() => {
  authority = certificateAuthority()
  good = authority.issue({ names: [APP] })
})
afterAll(() => authority.close())

interface Served extends TestHouse {
  readonly traefik: FakeTraefik
  /** What the proxy has for its names from now on. */
  give(...issued: readonly Issued[]): void
}

async function served(options: Pick<TestHouseOptions, 'clock'> = {}): Promise<Served> {
  const traefik = await startFakeTraefik()
  const env = { PLUMBLINE_TLS_ADDRESS: traefik.address('websecure') }
  const at = await openTestHouse({ ...options, env })
  traefik.follow(at.house.routes_path)
  return {
    ...at,
    traefik,
    give: (...issued) =>
      traefik.provide('docker', {
        tls: { certificates: issued.map(({ cert, key }) => ({ certFile: cert, keyFile: key })) },
      }),
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await traefik.stop()
    },
  }
}

interface Part {
  readonly name: string
  readonly key: string
  readonly ok: boolean
  readonly drift: boolean | null
  readonly cause: string | null
  readonly message: string
  readonly configured: boolean
  readonly differences: readonly { readonly cause: string; readonly domains: readonly string[] }[]
}
const partsIn = (body: object): readonly Part[] => (body as { components: readonly Part[] }).components

const page = async ({ call }: TestHouse) =>
  (await call('GET', '/api/control-plane/health')).body as unknown as { ok: boolean; components: Part[] }
const onPage = async (at: TestHouse, name: string) =>
  (await page(at)).components.find((one) => one.name === name)
const inDrift = async ({ call }: TestHouse) =>
  partsIn((await call('GET', '/api/drift')).body).find(({ key }) => key === KEY)
const certificate = async ({ call }: TestHouse, id: number) =>
  (await call('GET', `/api/domains/${id}/cert`)).body
const explained = async ({ call }: TestHouse, id: number) =>
  (await call('GET', `/api/domains/${id}/explain`)).body as unknown as {
    summary: string
    components: (Part & { agrees: boolean | null; condition: { status: string } })[]
  }
const expectPart = (at: TestHouse, found: Partial<Part>) =>
  expect.poll(() => onPage(at, KEY)).toMatchObject(found)

itInDepth(
  'the default certificate of the proxy is drift everywhere, and is over when the own one is served',
  async () => {
    await using at = await served()
    const id = await createActive(at.call, { domain: APP })
    await expectPart(at, { ok: false, drift: true, cause: 'not_served', configured: true })
    const one = { cause: 'not_served', domains: [APP], item: APP }
    const table = await onPage(at, 'certificates')
    expect(table).toMatchObject({ ok: false, drift: true, cause: 'not_served' })
    expect((await page(at)).ok).toBe(false)
    expect(await inDrift(at)).toMatchObject({ drift: true, differences: [one] })
    expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: true })
    expect((await at.call('GET', '/api/certificates')).body).toMatchObject({
      drift: true,
      differences: [one],
      wire: { configured: true, names: 1, not_served: 1 },
    })
    expect(await certificate(at, id)).toMatchObject({
      drift: true,
      cause: 'not_served',
      last_error: expect.stringContaining('not for app.example.com') as unknown,
    })
    const why = await explained(at, id)
    expect(why.components.find(({ key }) => key === KEY)).toMatchObject({
      agrees: false,
      cause: 'not_served',
      differences: [one],
      condition: { status: 'false', reason: 'drifting' },
    })
    expect(why.summary).toMatch(/^app\.example\.com: certificates_served .*not served/)

    at.give(good)
    expect(await certificate(at, id)).toMatchObject({ drift: false, cause: null, last_error: UNTRUSTED })
    await expectPart(at, { ok: true, drift: false, cause: null })
    await expect.poll(() => onPage(at, 'certificates')).toMatchObject({ drift: false })
    expect(await inDrift(at)).toMatchObject({ drift: false, differences: [] })
    expect((await explained(at, id)).components.find(({ key }) => key === KEY)).toMatchObject({
      agrees: true,
    })
  },
)

itInDepth('a certificate that goes is told by whoever asks, and then on every page', async () => {
  await using at = await served()
  at.give(good)
  const id = await createActive(at.call, { domain: APP })
  await expectPart(at, { ok: true })
  at.traefik.provide('docker', null)
  await expect.poll(async () => (await certificate(at, id))['drift']).toBe(true)
  expect(await onPage(at, KEY)).toMatchObject({ ok: false, drift: true, cause: 'not_served' })
  expect(await inDrift(at)).toMatchObject({ drift: true })
})

itInDepth(
  'a certificate that goes is on the page within five and a half minutes, although nobody asks anything',
  async () => {
    const clock = passingClock()
    await using at = await served({ clock })
    at.give(good)
    await createActive(at.call, { domain: APP })
    await expectPart(at, { ok: true })
    at.traefik.provide('docker', null)
    clock.pass(4 * 60_000)
    expect(await onPage(at, KEY)).toMatchObject({ ok: true })
    clock.pass(90_000)
    await expectPart(at, { ok: false, drift: true, cause: 'not_served' })
    at.give(good)
    const halfAMinuteLater = () => {
      clock.pass(31_000)
      return onPage(at, KEY)
    }
    await expect.poll(halfAMinuteLater, { interval: 500 }).toMatchObject({ ok: true, drift: false })
  },
)

itInDepth('a name that is not deployed, has no TLS, or is kept elsewhere is not looked at', async () => {
  await using at = await served()
  const id = await create(at.call, { domain: APP })
  await createActive(at.call, { domain: 'plain.example.com', ssl_enabled: false })
  await createActive(at.call, { domain: 'hand.example.com', service_type: 'manual' })
  await expectPart(at, { ok: true, drift: false })
  expect(await certificate(at, id)).toMatchObject({ drift: null, cause: null })
  expect((await at.call('GET', '/api/certificates')).body).toMatchObject({ wire: { names: 0 }, drift: false })
})

itInDepth('a proxy that does not answer leaves it unknown with the reason, and is no drift', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_TLS_ADDRESS: '127.0.0.1:1' } })
  const id = await createActive(at.call, { domain: APP })
  await expectPart(at, {
    ok: false,
    drift: null,
    cause: null,
    message: expect.stringContaining('127.0.0.1:1') as never,
  })
  const reason = expect.stringContaining('refuses connections') as unknown
  expect(await inDrift(at)).toMatchObject({ drift: null, reason, differences: [] })
  expect(await certificate(at, id)).toMatchObject({ drift: null, last_error: reason })
  expect((await explained(at, id)).components.find(({ key }) => key === KEY)).toMatchObject({
    agrees: null,
    unknown_because: reason,
  })
})

it('where no address is set it is not configured, and nothing else differs from before', async () => {
  await using at = await openTestHouse()
  const id = await createActive(at.call, { domain: APP, service_type: 'internal' })
  expect(await onPage(at, KEY)).toMatchObject({ configured: false, ok: true, drift: false })
  expect(await inDrift(at)).toBeUndefined()
  expect((await at.call('GET', '/api/certificates')).body).toMatchObject({
    drift: null,
    wire: { configured: false, drift: null },
  })
  expect((await explained(at, id)).components.map(({ key }) => key)).not.toContain(KEY)
})

describeInDepth('what the store of the proxy holds', () => {
  /** With a store beside the daemon. */
  async function withStore(store: string) {
    const at = await served()
    const path = join(at.directory, 'acme.json')
    writeFileSync(path, store, { mode: 0o600 })
    await at.house.close()
    const env = { PLUMBLINE_TLS_ADDRESS: at.traefik.address('websecure'), PLUMBLINE_ACME_STORE: path }
    const again = await openTestHouse({ directory: at.directory, env })
    return {
      ...at,
      ...again,
      store_path: path,
      [Symbol.asyncDispose]: async () => {
        await again[Symbol.asyncDispose]()
        await at.traefik.stop()
      },
    }
  }

  it('a chain that is shorter on the wire than there is drift', async () => {
    const { cert, key } = good
    const leaf = new X509Certificate(cert).toString()
    await using at = await withStore(acmeJson([good]))
    at.give({ cert: leaf, key })
    const id = await createActive(at.call, { domain: APP })
    const detail = expect.stringMatching(/shorter chain .*of 1\).*of 2\)/) as unknown
    await expectPart(at, { drift: true, cause: 'not_served' })
    expect(await inDrift(at)).toMatchObject({ differences: [{ item: APP, cause: 'not_served', detail }] })
    expect(await certificate(at, id)).toMatchObject({ drift: true, cause: 'not_served', last_error: detail })
    at.give(good)
    expect(await certificate(at, id)).toMatchObject({ drift: false, last_error: UNTRUSTED })
    await expectPart(at, { ok: true })
  })

  it('a good one that is there and not served says so', async () => {
    await using at = await withStore(acmeJson([good]))
    await createActive(at.call, { domain: APP })
    await expectPart(at, { drift: true })
    const detail = expect.stringContaining('A good one is there but is not served') as unknown
    expect(await inDrift(at)).toMatchObject({ differences: [{ detail }] })
  })

  it('a resolver that the proxy lacks is told by its absence from the store', async () => {
    await using at = await withStore(acmeJson([good], 'other-resolver'))
    await createActive(at.call, { domain: OTHER })
    await expectPart(at, { drift: true })
    const detail = expect.stringMatching(
      /knows no resolver letsencrypt.*other-resolver.*PLUMBLINE_CERT_RESOLVER/,
    )
    expect(await inDrift(at)).toMatchObject({ differences: [{ detail: detail as unknown }] })
    expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
      cert_resolver: { name: 'letsencrypt', known: false },
    })
    await expect
      .poll(() => onPage(at, 'acme'))
      .toMatchObject({
        message: expect.stringContaining('no resolver letsencrypt') as unknown,
      })
    writeFileSync(at.store_path, acmeJson([good]), { mode: 0o600 })
    await expect
      .poll(async () => (await at.call('GET', '/api/acme/status')).body)
      .toMatchObject({ cert_resolver: { name: 'letsencrypt', known: true } })
  })

  it('a store that the proxy has just made is no fault, and knows no resolver yet', async () => {
    await using at = await withStore('')
    at.give(good)
    await createActive(at.call, { domain: APP })
    await expectPart(at, { ok: true })
    expect((await at.call('GET', '/api/acme/status')).body).toMatchObject({
      error: null,
      cert_resolver: { name: 'letsencrypt', known: false },
    })
    await expect.poll(() => onPage(at, 'acme')).toMatchObject({ ok: true, drift: false })
  })
})

it('a command without a daemon looks for itself', async () => {
  await using at = await served()
  await createActive(at.call, { domain: APP })
  await at.house.close()
  const env = { PLUMBLINE_TLS_ADDRESS: at.traefik.address('websecure') }
  await using alone = await openTestHouse({ directory: at.directory, env, opened: false })
  expect(await inDrift(alone)).toMatchObject({ drift: true, differences: [{ cause: 'not_served' }] })
})
