/** Every kind of protected route is proven, or says why it is not: plain http, assets, stars, internal ones, TCP. */
import { expect, it } from 'vitest'
import { openProven, type Proven, report } from './proven-house.ts'
import { createActive } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const PLAIN = { domain: 'plain.example.com', ssl_enabled: false }

interface Unknown {
  readonly part: string
  readonly domain: string | null
  readonly cause: string
  readonly detail: string
}

async function looks({ look }: Proven, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await look()
}

/** What is not known about a domain, and what is not checked, by cause. */
async function unknowns({ at }: Proven): Promise<readonly string[]> {
  const { unknown, not_checked } = (await report(at)) as unknown as Record<string, readonly Unknown[]>
  return [...unknown!, ...not_checked!]
    .filter(({ part }) => part === 'proof')
    .map(({ domain, cause, detail }) => `${domain} ${cause}: ${detail}`)
}

it('a route over plain http is proven closed: the provider refuses it in its own words', async () => {
  await using proven = await openProven({ plain: true })
  const { at, proxy } = proven
  await createActive(at.call, PLAIN)
  await looks(proven, 1)
  expect(await report(at)).toMatchObject({ ok: true, open_route: [] })
  expect(proxy.kinds_plain.map(({ host, path }) => host + path)).toEqual([
    'plain.example.com/',
    'plain.example.com/plumbline-asks-without-signing-in',
  ])
  expect(proxy.asked).toEqual([])
})

it('a route over plain http that gives content is open, whatever its record says', async () => {
  await using proven = await openProven({ plain: true })
  const { at, proxy } = proven
  proxy.clash.add('plain.example.com')
  await createActive(at.call, PLAIN)
  await looks(proven, 2)
  const { open_route } = await report(at)
  expect(open_route).toMatchObject([{ domain: 'plain.example.com' }])
  expect(JSON.stringify(open_route)).toContain('at http://plain.example.com/')
})

itInDepth('a backend over plain http that answers 400 itself is not taken for the provider', async () => {
  await using proven = await openProven({ plain: true })
  const { at, proxy } = proven
  proxy.clash.add('plain.example.com')
  proxy.backend = { status: 400, text: 'The plain HTTP request was sent to HTTPS port' }
  await createActive(at.call, PLAIN)
  await looks(proven, 2)
  expect(await report(at)).toMatchObject({ ok: false, drift: null, open_route: [] })
  expect((await unknowns(proven)).join()).toContain('not as the SSO provider does')
})

itInDepth.each([401, 403])(
  'a backend with a sign-in of its own (%i) is not taken for the provider',
  async (status) => {
    await using proven = await openProven()
    const { at, proxy } = proven
    await createActive(at.call)
    await looks(proven, 1)
    expect(await report(at)).toMatchObject({ ok: true })
    proxy.backend = { status }
    proxy.clash.add('app.example.com')
    await looks(proven, 7)
    expect(await report(at)).toMatchObject({ ok: false, drift: null, open_route: [] })
    expect((await unknowns(proven)).join()).toContain(
      `it answers ${status}, which is not the SSO provider's word`,
    )
  },
)

itInDepth(
  'without an address for plain http such a route is not proven, and the report says what is missing',
  async () => {
    await using proven = await openProven()
    await createActive(proven.at.call, PLAIN)
    await looks(proven, 1)
    expect(await unknowns(proven)).toEqual([
      expect.stringContaining('plain.example.com not_configured: Not provable. It is served over plain http'),
    ])
    expect(await report(proven.at)).toMatchObject({ ok: true })
  },
)

itInDepth(
  'the redirect to https proves nothing, and a stranger’s router over plain http is found',
  async () => {
    await using proven = await openProven({ plain: true })
    const { at, proxy } = proven
    await createActive(at.call)
    await looks(proven, 1)
    expect(await report(at)).toMatchObject({ ok: true })
    expect(proxy.kinds_plain.map(({ host }) => host)).toEqual(['app.example.com'])
    proxy.strangers.add('app.example.com')
    await looks(proven, 7)
    const body = await report(at)
    expect(body).toMatchObject({ ok: false, open_route: [{ domain: 'app.example.com' }] })
    expect(JSON.stringify(body['open_route'])).toContain('at http://app.example.com/')
  },
)

itInDepth('assets of an spa have a router of their own, which is asked as well', async () => {
  await using proven = await openProven()
  const { at, proxy } = proven
  await createActive(at.call, { service_type: 'spa' })
  await looks(proven, 1)
  expect(await report(at)).toMatchObject({ ok: true })
  proxy.forgotten.add('plumbline-assets_app.example.com')
  await looks(proven, 7)
  const { open_route } = await report(at)
  expect(JSON.stringify(open_route)).toContain('/assets/')
})

itInDepth('a name with a star is asked by a name that it stands for', async () => {
  await using proven = await openProven()
  const { at, proxy } = proven
  await createActive(at.call, { domain: '*.example.com' })
  await looks(proven, 1)
  expect(proxy.kinds).toMatchObject([{ host: 'plumbline-any-host.example.com' }])
  expect(await report(at)).toMatchObject({ ok: true })
  proxy.forgotten.add('plumbline-site_*.example.com')
  await looks(proven, 7)
  expect(await report(at)).toMatchObject({ open_route: [{ domain: '*.example.com' }] })
})

itInDepth('an internal one that refuses our address is not called proven by that', async () => {
  await using proven = await openProven()
  const { at, proxy } = proven
  proxy.outside = true
  await createActive(at.call, { service_type: 'internal' })
  await looks(proven, 1)
  expect(await report(at)).toMatchObject({ ok: false, drift: null })
  expect((await unknowns(proven)).join()).toContain('its list of addresses may have refused this host')
  proxy.outside = false
  await looks(proven, 7)
  expect(await report(at)).toMatchObject({ ok: true })
})

itInDepth('TCP and what its policy opens are not provable, which counts against nobody', async () => {
  const policies = 'policies: [{ domain: free.example.com, bypass: [/] }]'
  await using proven = await openProven({ policies })
  const { at, proxy } = proven
  await createActive(at.call, { domain: 'free.example.com' })
  await createActive(at.call, {
    domain: 'ssh.example.com',
    service_type: 'tcp-proxy',
    tcp_entrypoint: 'ssh',
  })
  await looks(proven, 1)
  expect(proxy.asked).toEqual([])
  expect((await unknowns(proven)).toSorted()).toEqual([
    'free.example.com not_provable: Not provable. Its policy opens every path to everybody.',
    expect.stringContaining('ssh.example.com not_provable: Not provable. auth_required does not apply'),
  ])
  expect(await report(at)).toMatchObject({ ok: true })
})

itInDepth('a route that nobody could ask is unknown, never closed', async () => {
  await using proven = await openProven()
  proven.proxy.silent = true
  await createActive(proven.at.call)
  expect(await report(proven.at)).toMatchObject({ ok: false, drift: null })
  expect(await unknowns(proven)).toEqual([
    expect.stringContaining('app.example.com not_seen: It is not proven'),
  ])
})

itInDepth('no question carries anything of a person, also after a backend gave a cookie', async () => {
  await using proven = await openProven({ plain: true })
  const { at, proxy } = proven
  proxy.clash.add('app.example.com')
  await createActive(at.call)
  await createActive(at.call, PLAIN)
  await looks(proven, 3)
  expect(proxy.asked.length).toBeGreaterThan(1)
  expect([...new Set(proxy.headers)].toSorted()).toEqual(['accept', 'connection', 'host', 'user-agent'])
})
