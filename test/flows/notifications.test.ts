/** What lasts is told, once and together, by mail and webhook; its end is told to whom it was told; nothing secret leaves. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { MovedClock } from '../kit/moved-clock.ts'
import { PATH_KEY } from '../fakes/notify/webhook-receiver.ts'
import {
  expectOpen,
  expectTold,
  MINUTE_MS,
  notificationsWorld,
  openAlerts,
  PATIENCE,
} from './notifications-world.ts'
import { APP, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { inDepth } from '../kit/tier.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'

// The gate asks for one message and its end in notifications-kill.test.ts, where the daemon is killed meanwhile.
describeInDepth('a drift in observe mode', () => {
  it('is told when it has lasted, once, and so is its end', async () => {
    await using world = await notificationsWorld()
    const { clock, receiver } = world
    await using at = await openTestHouse({ env: world.env, clock })
    await createActive(at.call)
    const bytes = at.routes()
    appendFileSync(at.house.routes_path, '# stranger\n')
    const drift = async () => JSON.stringify((await at.call('GET', '/api/conditions')).body)
    await expect.poll(drift, PATIENCE).toContain('"reason":"drifting"')
    clock.step(9 * MINUTE_MS)
    expect(await openAlerts(at)).toEqual([])
    clock.step(2 * MINUTE_MS)
    await expectOpen(at, ['drift_lasting'])
    clock.step(2 * MINUTE_MS)
    await expectTold(at)
    expect(world.titles()).toEqual(['Plumbline: routes drifting'])
    expect(world.subjects()).toEqual(['Plumbline: routes drifting'])
    expect(receiver.taken[0]!.message).toMatchObject({
      version: 1,
      verdict: 'wrong',
      open: 1,
      new: [{ kind: 'drift_lasting', component: 'routes', count: 0, ended: null }],
      over: [],
    })
    clock.step(60 * MINUTE_MS)
    await expectOpen(at, ['drift_lasting'])
    writeFileSync(at.house.routes_path, bytes)
    await expectOpen(at, [])
    expect(world.titles(), 'it may come back within the minute').toHaveLength(1)
    clock.step(2 * MINUTE_MS)
    const over = 'Plumbline: over: routes drifting'
    const told = async () => [(await openAlerts(at)).length, world.titles()[1], world.subjects()[1]]
    await expect.poll(told, PATIENCE).toEqual([0, over, over])
    clock.step(30 * 60 * MINUTE_MS)
    await expectOpen(at, [])
    expect([world.titles().length, world.subjects().length]).toEqual([2, 2])
  })
})

/** A drift that has lasted and was noticed; a minute later it is to be told. */
async function lastingDrift(at: TestHouse, clock: MovedClock): Promise<void> {
  await createActive(at.call)
  appendFileSync(at.house.routes_path, '# stranger\n')
  const conditions = async () => JSON.stringify((await at.call('GET', '/api/conditions')).body)
  await expect.poll(conditions, PATIENCE).toContain('"reason":"drifting"')
  clock.step(11 * MINUTE_MS)
  const noticed = async () => (await openAlerts(at)).map(({ noticed_at }) => noticed_at !== null)
  await expect.poll(noticed, PATIENCE).toEqual([true])
}

interface Shown {
  readonly channels: readonly {
    readonly kind: string
    readonly last_error: string | null
    readonly owed: number
  }[]
  readonly owed: readonly { readonly channel: string; readonly attempts: number }[]
}

const shown = async ({ call }: TestHouse) =>
  (await call('GET', '/api/notifications')).body as unknown as Shown

describeInDepth('a receiver that misbehaves', () => {
  it.each([
    'reset',
    'hang',
    { status: 500 },
    { status: 429, headers: { 'retry-after': '1' } },
    // Three years: nobody may silence a channel for longer than the longest wait of ours.
    { status: 429, headers: { 'retry-after': '99999999' } },
  ] as const)(
    'in passing (%j) gets the very same message later, and mail is not held up by it',
    { timeout: 90_000 },
    async (how) => {
      await using world = await notificationsWorld()
      const { clock, receiver } = world
      receiver.misbehave(how)
      await using at = await openTestHouse({ env: world.env, clock })
      await lastingDrift(at, clock)
      clock.step(2 * MINUTE_MS)
      await expect.poll(() => world.subjects(), PATIENCE).toEqual(['Plumbline: routes drifting'])
      const trouble = async () => (await shown(at)).channels.map(({ last_error }) => last_error !== null)
      await expect.poll(trouble, PATIENCE).toEqual([false, true])
      // The mail goes its own way, and may still be on it.
      const owed = async () => (await shown(at)).owed
      await expect.poll(owed, PATIENCE).toMatchObject([{ attempts: 1 }])
      receiver.misbehave(null)
      await using again = await at.reopen()
      clock.step(2 * 60 * MINUTE_MS)
      await expectTold(again)
      expect(new Set(receiver.posted.map(({ delivery }) => delivery)).size).toBe(1)
      expect(new Set(receiver.posted.map(({ body }) => body)).size).toBe(1)
      expect(world.titles()).toHaveLength(1)
      expect(world.subjects(), 'a restart repeats nothing').toHaveLength(1)
      await expect.poll(async () => (await shown(again)).owed, PATIENCE).toEqual([])
    },
  )

  inDepth(() => {
    it('for good (404) is shown and left, and is told afresh when the daemon starts anew', async () => {
      await using world = await notificationsWorld()
      const { clock, receiver } = world
      receiver.misbehave({ status: 404 })
      await using at = await openTestHouse({ env: world.env, clock })
      await lastingDrift(at, clock)
      clock.step(2 * MINUTE_MS)
      const error = async ({ call }: TestHouse) =>
        JSON.stringify((await call('GET', '/api/notifications')).body)
      await expect.poll(() => error(at), PATIENCE).toContain('answered 404')
      expect(await error(at)).not.toContain(PATH_KEY)
      clock.step(30 * MINUTE_MS)
      await expect.poll(() => world.subjects(), PATIENCE).toHaveLength(1)
      expect(receiver.posted).toHaveLength(1)
      receiver.misbehave(null)
      await using again = await at.reopen()
      await expectTold(again)
      expect(new Set(receiver.posted.map(({ delivery }) => delivery)).size, 'a new message').toBe(2)
      expect(world.subjects()).toHaveLength(1)
    })
  })
})

inDepth(() => {
  describe('what is merged', () => {
    it('forty domains with one cause are one message and one line, and so is their end', async () => {
      await using world = await notificationsWorld()
      const { clock, receiver } = world
      await using at = await openTestHouse({ env: world.env, clock })
      for (let i = 0; i < 40; i++)
        await at.call('POST', '/api/domains', {
          body: { ...APP, domain: `app${i}.example.com`, backend_port: 1000 + i },
        })
      const ids = (await at.call('GET', '/api/domains')).body as unknown as { id: number }[]
      for (const { id } of ids) await at.call('POST', `/api/domains/${id}/activate`)
      const bytes = at.routes()
      writeFileSync(at.house.routes_path, bytes.replaceAll('http://10.0.0.5:1', 'http://10.0.0.5:2'))
      const conditions = async () => JSON.stringify((await at.call('GET', '/api/conditions')).body)
      await expect.poll(conditions, PATIENCE).toContain('"reason":"drifting"')
      clock.step(11 * MINUTE_MS)
      const noticed = async () =>
        (await openAlerts(at)).filter(({ noticed_at }) => noticed_at !== null).length
      await expect.poll(noticed, PATIENCE).toBe(40)
      clock.step(2 * MINUTE_MS)
      await expectTold(at)
      expect(receiver.taken).toHaveLength(1)
      expect(receiver.taken[0]!.message).toMatchObject({ open: 40, new: [{ count: 40 }] })
      expect(world.subjects()).toEqual([expect.stringContaining('and 37 more')])
      writeFileSync(at.house.routes_path, bytes)
      await expectOpen(at, [])
      clock.step(2 * MINUTE_MS)
      const ended = async () => (await openAlerts(at)).length + receiver.taken.length
      await expect.poll(ended, PATIENCE).toBe(2)
      expect(receiver.taken[1]!.message).toMatchObject({
        verdict: 'recovered',
        open: 0,
        over: [{ count: 40 }],
      })
    })
  })
})

describeInDepth('an edge', () => {
  it('that falls silent is told within a minute or two, and so is its return', async () => {
    await using world = await notificationsWorld()
    const { clock, receiver } = world
    await using at = await openTestHouse({ env: world.env, clock })
    await createActive(at.call)
    const added = await at.call('POST', '/api/ccm/edge/edges', { body: { name: 'fra1' } })
    const { edge, token } = added.body as unknown as { edge: { id: number }; token: string }
    const fetch = () =>
      at.call('GET', `/api/ccm/edge/edges/${edge.id}/routes`, {
        key: null,
        peer: '203.0.113.9',
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await fetch()).status).toBe(200)
    clock.pass(2 * MINUTE_MS)
    const noticed = async () =>
      (await openAlerts(at)).map(({ kind, noticed_at }) => [kind, noticed_at !== null])
    await expect.poll(noticed, PATIENCE).toEqual([['edge_lost', true]])
    clock.step(2 * MINUTE_MS)
    await expectTold(at)
    expect(world.titles()).toEqual(['Plumbline: edges fra1 edge lost'])
    expect((await fetch()).status).toBe(200)
    await expectOpen(at, [])
    clock.step(70_000)
    await fetch()
    const ended = async () => (await openAlerts(at)).length + receiver.taken.length
    await expect.poll(ended, PATIENCE).toBe(2)
    expect(world.titles()[1]).toBe('Plumbline: over: edges fra1 edge lost')
  })
})

describe('who is asked', () => {
  it('a test says how each channel went, and nothing that is secret', async () => {
    await using world = await notificationsWorld()
    const { receiver } = world
    await using at = await openTestHouse({ env: world.env, clock: world.clock })
    const dry = await at.call('POST', '/api/notifications/test?dry_run=true')
    expect(dry).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        plan: {
          rows: [],
          actions: [
            { component: 'notifications', verb: 'create', item: 'test by mail' },
            {
              component: 'notifications',
              verb: 'create',
              item: expect.stringMatching(/^test by /) as unknown,
            },
          ],
          warnings: [],
        },
      },
    })
    expect([world.titles(), world.subjects()]).toEqual([[], []])
    const good = await at.call('POST', '/api/notifications/test')
    expect(good.body).toMatchObject({
      success: true,
      results: [
        { name: 'mail', ok: true },
        { kind: 'webhook', ok: true },
      ],
    })
    expect(world.titles()).toEqual(['Plumbline: a test, nothing is wrong'])
    receiver.misbehave({ status: 403 })
    world.sink.misbehave({ reply: 554, at: 'data' })
    const bad = await at.call('POST', '/api/notifications/test')
    expect(bad.body).toMatchObject({ success: false, results: [{ ok: false }, { ok: false }] })
    for (const { body } of [dry, good, bad, await at.call('GET', '/api/notifications')])
      expect(JSON.stringify(body)).not.toContain(PATH_KEY)
  })

  itInDepth('nobody: what is wrong is shown all the same, and nothing is written or sent', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe', PLUMBLINE_NOTIFY_AFTER: '1s' } })
    await createActive(at.call)
    appendFileSync(at.house.routes_path, '# stranger\n')
    const open = async () => (await openAlerts(at)).map(({ kind, noticed_at }) => [kind, noticed_at])
    await expect.poll(open, PATIENCE).toEqual([['drift_lasting', null]])
    expect(await shown(at)).toMatchObject({ configured: false, channels: [], owed: [] })
    expect((await at.call('POST', '/api/notifications/test')).body).toEqual({ success: false, results: [] })
    expect((await at.call('POST', '/api/notifications/test?dry_run=true')).body).toMatchObject({
      plan: { actions: [], warnings: [expect.stringMatching(/PLUMBLINE_NOTIFY_MAIL/) as unknown] },
    })
    const metrics = (await at.call('GET', '/metrics')).body as unknown as string
    expect(metrics).toContain('plumbline_open_troubles{kind="drift_lasting"} 1\n')
    expect(metrics).toContain('plumbline_open_troubles{kind="route_open"} 0\n')
  })

  it('mail without a mail provider is no start', async () => {
    await expect(openTestHouse({ env: { PLUMBLINE_NOTIFY_MAIL: 'ops@example.net' } })).rejects.toThrow(
      /PLUMBLINE_NOTIFY_MAIL needs mail/,
    )
  })

  itInDepth(
    'a recipient outside the only domains that may get mail is no start, or nobody would ever be told',
    async () => {
      await using world = await notificationsWorld()
      const env = { ...world.env, PLUMBLINE_MAIL_RECIPIENT_DOMAINS: 'example.com' }
      await expect(openTestHouse({ env })).rejects.toThrow(/ops@example.net" is in no domain/)
      const both = { ...env, PLUMBLINE_MAIL_RECIPIENT_DOMAINS: 'example.com,Example.NET' }
      await using at = await openTestHouse({ env: both })
      expect((await at.call('GET', '/api/notifications')).status).toBe(200)
    },
  )
})
