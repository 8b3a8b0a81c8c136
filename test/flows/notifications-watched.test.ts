/** What only the health page knows is told as well: a file that is not loaded, a broken rule, a lost grant, a key that ends. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { digestAllRecords } from '../../src/store/intent/record-digest.ts'
import { CLIENT, fakeGmail } from '../fakes/mail/gmail.ts'
import { startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { expectOpen, MINUTE_MS, notificationsWorld, openAlerts, PATIENCE } from './notifications-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { inDepth } from '../kit/tier.ts'
import { itInDepth } from '../kit/in-depth.ts'

const TIMEOUT = { timeout: 300_000 }
const HOUR_MS = 60 * MINUTE_MS

/** A look of now at everything that is watched. */
const probe = async ({ call }: TestHouse) =>
  (await call('GET', '/api/control-plane/health?probe=true')).body as unknown as {
    components: readonly { name: string; cause: string | null; ok: boolean }[]
    invariants: readonly { name: string; holds: boolean | null }[]
  }
const causeOf = async (at: TestHouse, part: string) =>
  (await probe(at)).components.find(({ name }) => name === part)?.cause

inDepth(() => {
  it('routes that were written and that the proxy does not run are told when it lasts', TIMEOUT, async () => {
    await using world = await notificationsWorld()
    const { clock } = world
    const traefik = await startFakeTraefik()
    try {
      const env = { ...world.env, PLUMBLINE_TRAEFIK_API: traefik.origin }
      await using at = await openTestHouse({ env, clock })
      traefik.follow(at.house.routes_path)
      await createActive(at.call, { domain: 'good.example.com' })
      await expect.poll(() => causeOf(at, 'proxy'), PATIENCE).toBe(null)
      traefik.refuse((text) => text.includes('bad.example.com'))
      await createActive(at.call, { domain: 'bad.example.com' })
      await expect.poll(() => causeOf(at, 'proxy'), PATIENCE).toBe('not_loaded')
      clock.step(9 * MINUTE_MS)
      await probe(at)
      expect(await openAlerts(at)).toEqual([])
      clock.step(3 * MINUTE_MS)
      await probe(at)
      await expectOpen(at, ['not_loaded'])
      clock.step(2 * MINUTE_MS)
      await probe(at)
      await expect.poll(() => world.titles(), PATIENCE).toEqual(['Plumbline: proxy not loaded'])
      traefik.refuse(() => false)
      await createActive(at.call, { domain: 'other.example.com' })
      await expect.poll(() => causeOf(at, 'proxy'), PATIENCE).toBe(null)
      await expectOpen(at, [])
      clock.step(2 * MINUTE_MS)
      await probe(at)
      await expect.poll(() => world.titles()[1], PATIENCE).toBe('Plumbline: over: proxy not loaded')
    } finally {
      await traefik.stop()
    }
  })
})

itInDepth(
  'a rule of the database that does not hold is told at once, and so is that it holds again',
  TIMEOUT,
  async () => {
    await using world = await notificationsWorld()
    await using at = await openTestHouse({ env: world.env, clock: world.clock })
    await createActive(at.call)
    const rename = (from: string, to: string) => {
      const beside = new Database(join(at.directory, 'plumbline.db'))
      beside.prepare('UPDATE domains SET domain = ? WHERE domain = ?').run(to, from)
      digestAllRecords(beside)
      beside.close()
    }
    const broken = async () =>
      (await probe(at)).invariants.filter(({ holds }) => holds !== true).map(({ name }) => name)
    rename('app.example.com', 'APP.example.com')
    await expect.poll(broken, PATIENCE).toEqual(['names_unique_and_canonical'])
    await expectOpen(at, ['invariant_broken'])
    world.clock.step(2 * MINUTE_MS)
    const title = 'database names_unique_and_canonical broken'
    await expect.poll(() => world.titles(), PATIENCE).toEqual([`Plumbline: ${title}`])
    rename('APP.example.com', 'app.example.com')
    await expect.poll(broken, PATIENCE).toEqual([])
    await expectOpen(at, [])
    world.clock.step(2 * MINUTE_MS)
    await expect.poll(() => world.titles()[1], PATIENCE).toBe(`Plumbline: over: ${title}`)
  },
)

it('a grant that only a person can renew is told by the other channel, at once', TIMEOUT, async () => {
  await using world = await notificationsWorld()
  const gmail = await fakeGmail()
  try {
    gmail.misbehave('token', { status: 400, reason: 'invalid_grant' }, { always: true })
    await using at = await openTestHouse({
      clock: world.clock,
      env: {
        ...world.env,
        PLUMBLINE_MAIL_PROVIDER: 'gmail',
        PLUMBLINE_MAIL_FROM: 'me@example.org',
        PLUMBLINE_GMAIL_CLIENT_ID: CLIENT.id,
        PLUMBLINE_GMAIL_CLIENT_SECRET: CLIENT.secret,
        PLUMBLINE_GMAIL_REFRESH_TOKEN: CLIENT.refresh_token,
        PLUMBLINE_GMAIL_URL: gmail.base,
        PLUMBLINE_GMAIL_TOKEN_URL: gmail.token_url,
      },
    })
    await expect.poll(() => causeOf(at, 'mail'), PATIENCE).toBe('needs_consent')
    await expectOpen(at, ['consent_needed'])
    world.clock.step(2 * MINUTE_MS)
    await expect.poll(() => world.titles(), PATIENCE).toEqual(['Plumbline: mail consent needed'])
    const [line] = world.receiver.taken[0]!.message.new
    expect(line!.message).toContain('PLUMBLINE_GMAIL_REFRESH_TOKEN')
    expect(JSON.stringify(world.receiver.taken)).not.toContain(CLIENT.refresh_token)
  } finally {
    await gmail.close()
  }
})

itInDepth(
  'a router that was not given its new key is told before the old one ends, until it is',
  TIMEOUT,
  async () => {
    await using world = await notificationsWorld()
    const { clock } = world
    await using at = await openTestHouse({
      env: { ...world.env, PLUMBLINE_HUB_HOST: 'hub.example.net' },
      clock,
    })
    const made = async (path: string, body?: object) => {
      const { status, body: answer } = await at.call('POST', path, body === undefined ? {} : { body })
      expect([200, 201], JSON.stringify(answer)).toContain(status)
      return answer as unknown as { key: string; token: { id: string } }
    }
    const report = async (key: string) => {
      const path = `/api/ddns/update/hub.example.net?key=${key}&ip=9.9.9.9`
      expect((await at.call('GET', path, { key: null })).status).toBe(200)
    }
    const old = await made('/api/ddns/tokens', { host: 'hub.example.net' })
    const next = await made(`/api/ddns/tokens/${old.token.id}/rotate`)
    clock.step(6 * MINUTE_MS)
    await report(old.key)
    expect(await openAlerts(at)).toEqual([])
    clock.step(13 * HOUR_MS)
    await expectOpen(at, ['key_ending'])
    clock.step(2 * MINUTE_MS)
    await expect
      .poll(() => world.titles(), PATIENCE)
      .toEqual(['Plumbline: ddns key ending (hub.example.net)'])
    clock.step(12 * HOUR_MS)
    const severity = async () => (await at.call('GET', '/api/notifications')).body['open']
    await expect.poll(severity, PATIENCE).toMatchObject([{ severity: 'urgent' }])
    await report(next.key)
    await expectOpen(at, [])
  },
)
