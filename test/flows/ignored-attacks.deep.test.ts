/** Differences that may stay, attacked: over restarts, renames and ends, at every world that may have one, and never an open door. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import type { Client } from './client.ts'
import { run } from './command.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { passingClock } from './passing-clock.ts'
import { openSsoHouse } from './sso-house.ts'
import { createActive, envIn, openTestHouse, type TestHouse } from './test-house.ts'

const HOUR_MS = 3_600_000
const IN_A_DAY = () => new Date(Date.now() + 86_400_000).toISOString()
const PATIENCE = { timeout: 30_000, interval: 200 }
const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'

interface Differing {
  readonly item: string
  readonly domains: readonly string[]
  readonly acts: readonly { readonly id: string }[]
  readonly ignored?: object
}

async function differencesAt(call: Client, component: string): Promise<readonly Differing[]> {
  const { body } = await call('GET', '/api/drift')
  const { components } = body as unknown as {
    readonly components: readonly { component: string; differences: readonly Differing[] }[]
  }
  return components.filter((one) => one.component === component).flatMap(({ differences }) => differences)
}

const ignore = (call: Client, item: string, until = IN_A_DAY()) =>
  call('PUT', `/api/drift/ignored/${encodeURIComponent(item)}`, { body: { reason: 'known', until } })
const endOf = (call: Client, item: string) => call('DELETE', `/api/drift/ignored/${encodeURIComponent(item)}`)
const mode = (call: Client, word: 'observe' | 'repair') =>
  call('PUT', '/api/modes/*', { body: { mode: word } })

async function ignoredItems(call: Client): Promise<readonly string[]> {
  const { body } = await call('GET', '/api/drift/ignored')
  return (body as unknown as readonly { item: string }[]).map(({ item }) => item)
}

/** Health of a component, looked at now. */
async function healthOf(call: Client, component: string): Promise<readonly [boolean, boolean | null]> {
  const { body } = await call('GET', '/api/control-plane/health?probe=true')
  const { components } = body as unknown as {
    readonly components: readonly { component: string; ok: boolean; drift: boolean | null }[]
  }
  const own = components.filter((one) => one.component === component)
  return [own.every(({ ok }) => ok), own.some(({ drift }) => drift === true)]
}

/** One backend moved by hand and ignored, with the reconciler at work again. */
async function withMoved(
  at: TestHouse,
  until?: string,
): Promise<{ clean: string; edited: string; item: string }> {
  const clean = at.routes()
  const edited = clean.replace('http://10.0.0.5:8080', 'http://10.0.0.6:8080')
  await mode(at.call, 'observe')
  writeFileSync(at.house.routes_path, edited)
  const [first] = await differencesAt(at.call, 'routes')
  expect(first!.acts.map(({ id }) => id)).toContain('ignore')
  expect((await ignore(at.call, first!.item, until)).status).toBe(200)
  await mode(at.call, 'repair')
  return { clean, edited, item: first!.item }
}

describe('a known edit of the routes file', () => {
  it('stays over a restart, and ends when a person says so: then it is repaired', async () => {
    let at = await openTestHouse()
    await createActive(at.call, { auth_required: true })
    const { clean, edited, item } = await withMoved(at)
    at = await at.reopen()
    await expect.poll(() => healthOf(at.call, 'routes'), PATIENCE).toEqual([true, true])
    expect([at.routes(), await ignoredItems(at.call)]).toEqual([edited, [item]])
    const shown = await run(['drift'], envIn(at.directory))
    expect(shown).toMatchObject({ code: 2, out: expect.stringContaining('(known, until ') as string })
    expect(shown.out).toContain(`plumbline drift ignore-end ${item}`)
    expect(shown.out).not.toContain('plumbline drift ignore ')
    expect(shown.out).toContain('ALL hand edits of routes')
    const done = await endOf(at.call, item)
    expect([done.status, done.body['message']]).toEqual([200, expect.stringContaining('no more')])
    await expect.poll(() => at.routes(), PATIENCE).toBe(clean)
    expect(await ignoredItems(at.call)).toEqual([])
    at = await at.reopen()
    expect(await ignoredItems(at.call)).toEqual([])
    await at[Symbol.asyncDispose]()
  })

  it('ends by time, is repaired then, and what ended while nobody ran does not count after the start', async () => {
    const clock = passingClock()
    let at = await openTestHouse({ clock })
    await createActive(at.call, { auth_required: true })
    const inAnHour = () => new Date(clock.now() + HOUR_MS).toISOString()
    const { clean } = await withMoved(at, inAnHour())
    clock.pass(HOUR_MS)
    await expect.poll(() => at.routes(), PATIENCE).toBe(clean)
    await expect.poll(() => healthOf(at.call, 'routes'), PATIENCE).toEqual([true, false])
    const { edited } = await withMoved(at, inAnHour())
    const directory = at.house.routes_path
    await at.house.close()
    writeFileSync(directory, edited)
    clock.pass(HOUR_MS)
    at = await openTestHouse({ clock, directory: at.directory })
    expect(await ignoredItems(at.call)).toEqual([])
    await expect.poll(() => at.routes(), PATIENCE).toBe(clean)
    await at[Symbol.asyncDispose]()
  })

  it('ends with a further edit that opens a protected path: drift at once, repaired, whatever was ignored before', async () => {
    await using at = await openTestHouse()
    const { call, house } = at
    await createActive(call, { auth_required: true })
    await createActive(call, { domain: 'other.example.com', backend_host: '10.0.0.9', auth_required: true })
    const { clean, edited } = await withMoved(at)
    // Not the middleware this time: one more router that leads past it.
    const opened = edited.replace(
      /^ {2}routers:\n/m,
      (head) =>
        `${head}    past:\n      rule: "Host(\`app.example.com\`) && PathPrefix(\`/x\`)"\n      service: "past"\n`,
    )
    expect(opened).not.toBe(edited)
    writeFileSync(house.routes_path, opened)
    const [ok] = await healthOf(call, 'routes')
    expect(ok && at.routes() === opened).toBe(false)
    await expect.poll(() => at.routes(), PATIENCE).toBe(clean)
    await expect.poll(() => ignoredItems(call), PATIENCE).toEqual([])
  })

  it('stays or ends as a whole where two things of it differ, and a removal or a rename of its domain deploys over it', async () => {
    await using at = await openTestHouse()
    const { call, house } = at
    const app = await createActive(call)
    const other = await createActive(call, { domain: 'other.example.com', backend_host: '10.0.0.9' })
    const clean = at.routes()
    const moveBoth = async () => {
      const now = at.routes()
      const edited = now
        .replace('http://10.0.0.5:', 'http://10.0.0.6:')
        .replace('http://10.0.0.9:', 'http://10.0.0.7:')
      expect(edited).not.toBe(now)
      await mode(call, 'observe')
      writeFileSync(house.routes_path, edited)
      const found = await differencesAt(call, 'routes')
      expect((await ignore(call, found[0]!.item)).status).toBe(200)
      await mode(call, 'repair')
      return { edited, items: found.map(({ item }) => item).toSorted() }
    }
    const first = await moveBoth()
    expect(first.items.length).toBeGreaterThan(1)
    expect((await ignoredItems(call)).toSorted()).toEqual(first.items)
    expect((await endOf(call, first.items[1]!)).status).toBe(200)
    await expect.poll(() => at.routes(), PATIENCE).toBe(clean)
    expect(await ignoredItems(call)).toEqual([])
    // A rename is released and written, with the hand edit gone.
    await moveBoth()
    expect((await call('PUT', `/api/domains/${other}`, { body: { domain: 'new.example.com' } })).status).toBe(
      200,
    )
    expect((await call('POST', `/api/domains/${other}/deploy`, { body: {} })).status).toBe(200)
    await expect.poll(() => at.routes(), PATIENCE).toContain('new.example.com')
    expect(at.routes()).not.toContain('http://10.0.0.7:')
    await expect.poll(() => ignoredItems(call), PATIENCE).toEqual([])
    await expect.poll(() => healthOf(call, 'routes'), PATIENCE).toEqual([true, false])
    // What is gone is gone, also while something of it was ignored.
    await moveBoth()
    expect((await call('DELETE', `/api/domains/${app}`)).status).toBeLessThan(300)
    await expect.poll(() => at.routes(), PATIENCE).not.toContain('app.example.com')
    await expect.poll(() => ignoredItems(call), PATIENCE).toEqual([])
  })
})

it('a stricter rule of the sign-in may stay, a laxer one never, and one that turns laxer is put back', async () => {
  await using at = await openSsoHouse()
  const { call } = at
  await createActive(call, { auth_required: true })
  const clean = at.rules()
  const stricter = clean
    .replace('policy: one_factor', 'policy: two_factor')
    .replace("policy: 'one_factor'", "policy: 'two_factor'")
    .replace('policy: "one_factor"', 'policy: "two_factor"')
  expect(stricter).not.toBe(clean)
  const laxer = clean.replace(/policy: (["']?)one_factor\1/, 'policy: $1bypass$1')
  await mode(call, 'observe')
  writeFileSync(at.rules_path, laxer)
  const [open] = await differencesAt(call, 'sso')
  const refused = await ignore(call, open!.item)
  expect([refused.status, refused.body['detail']]).toEqual([409, expect.stringContaining('never ignored')])
  writeFileSync(at.rules_path, stricter)
  const [closed] = await differencesAt(call, 'sso')
  const done = await ignore(call, closed!.item)
  expect(done.status, JSON.stringify(done.body)).toBe(200)
  await mode(call, 'repair')
  await expect.poll(() => healthOf(call, 'sso'), PATIENCE).toEqual([true, true])
  expect(at.rules()).toBe(stricter)
  writeFileSync(at.rules_path, laxer)
  await expect.poll(() => at.rules(), PATIENCE).toBe(clean)
  await expect.poll(() => ignoredItems(call), PATIENCE).toEqual([])
})

const software = DNS_SOFTWARE[0]!
describePeers(software.programs, 'a known edit of a record at PowerDNS', () => {
  let world: DnsWorld
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start(['held.test'])
    at = await openTestHouse({ env: { ...world.through(world.tcp_port), PLUMBLINE_PUBLIC_IP: PUBLIC } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  it('stays while its neighbour is repaired, ends where another address stands, and when a person says so', async () => {
    const { call } = at
    const point = (name: string, address: string) =>
      world.put('held.test', { name, type: 'A', ttl: 300, values: [address] })
    for (const domain of ['app.held.test', 'other.held.test']) await createActive(call, { domain })
    const item = 'A app.held.test'
    const known = async () => {
      await mode(call, 'observe')
      await point('app.held.test', STRANGER)
      await expect
        .poll(async () => (await differencesAt(call, 'dns')).map((one) => one.item), PATIENCE)
        .toContain(item)
      const done = await ignore(call, item)
      expect(done.status, JSON.stringify(done.body)).toBe(200)
      await mode(call, 'repair')
    }
    await known()
    await point('other.held.test', STRANGER)
    await healthOf(call, 'dns')
    await expect.poll(() => world.dig('other.held.test', 'A'), PATIENCE).toEqual([PUBLIC])
    expect(await world.dig('app.held.test', 'A')).toEqual([STRANGER])
    await expect.poll(() => healthOf(call, 'dns'), PATIENCE).toEqual([true, true])
    // Another stranger than the known one.
    await point('app.held.test', '198.51.100.67')
    await healthOf(call, 'dns')
    await expect.poll(() => world.dig('app.held.test', 'A'), PATIENCE).toEqual([PUBLIC])
    expect(await ignoredItems(call)).toEqual([])
    await known()
    expect((await endOf(call, item)).status).toBe(200)
    await healthOf(call, 'dns')
    await expect.poll(() => world.dig('app.held.test', 'A'), PATIENCE).toEqual([PUBLIC])
    await expect.poll(() => healthOf(call, 'dns'), PATIENCE).toEqual([true, false])
  })
})
