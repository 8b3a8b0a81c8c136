/** How far the reconciler may go is set over the API, by component, with a reason and an end. */
import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isoTime } from '../../src/kernel/clock.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { movedClock } from '../kit/moved-clock.ts'
import { createActive, expectHealed, openTestHouse, type TestHouse } from './test-house.ts'

const HOUR_MS = 3_600_000

const until = (at: number) => isoTime(at)
const suspend = (expires_at: unknown = until(Date.now() + HOUR_MS), reason: unknown = 'moving house') => ({
  body: { mode: 'suspend', reason, expires_at },
})

/** Closed, and opened again when the time has gone by. */
function reopenedLater(house: TestHouse, goesBy: () => void): Promise<TestHouse> {
  const opened = house.reopen()
  goesBy()
  return opened
}

describe('a suspension', () => {
  it('leaves the world alone, refuses deploys, and ends by itself when its time has come', async () => {
    const clock = movedClock()
    await using at = await openTestHouse({ clock })
    const id = await createActive(at.call)
    const bytes = at.routes()
    const set = await at.call('PUT', '/api/modes/routes', suspend())
    expect(set).toMatchObject({ status: 200, body: { success: true, warnings: [] } })
    appendFileSync(at.house.routes_path, '# stranger\n')
    await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toBe('suspended')
    const refused = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(refused).toMatchObject({ status: 503, body: { code: 'suspended' } })
    expect(at.routes()).toContain('# stranger')
    clock.step(2 * HOUR_MS)
    appendFileSync(at.house.routes_path, '# again\n')
    await expectHealed(at.call)
    expect(at.routes()).toBe(bytes)
    const { body } = await at.call('GET', '/api/modes')
    expect(body).toMatchObject({
      components: [{ component: 'routes', mode: 'repair', scope: '*', reason: 'PLUMBLINE_MODE' }],
      settings: [{ scope: 'routes', mode: 'suspend', reason: 'moving house', actor: 'key', expired: true }],
    })
  })

  itInDepth('holds over a restart, and is lifted at once by another mode', async () => {
    await using first = await openTestHouse()
    await createActive(first.call)
    await first.call('PUT', '/api/modes/*', suspend())
    await using at = await first.reopen()
    appendFileSync(at.house.routes_path, '# stranger\n')
    await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toBe('suspended')
    await at.call('PUT', '/api/modes/*', { body: { mode: 'repair' } })
    await expectHealed(at.call)
    const told = async () =>
      JSON.stringify((await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })).body)
    // That it is healed is seen a moment before it is told.
    for (const kind of ['mode', 'suspended', 'recovered'])
      await expect.poll(told).toContain(`"kind":"${kind}"`)
    const trail = JSON.stringify((await at.call('GET', '/api/audit?action=set_mode')).body)
    expect(trail).toContain('moving house')
  })

  itOneIn(4).each([
    ['without an end', suspend(null), 'expires_at'],
    ['that has ended', suspend(until(Date.now() - 1000)), 'expires_at'],
    ['without a date', suspend('soon'), 'expires_at'],
    ['longer than a season', suspend(until(Date.now() + 100 * 24 * HOUR_MS)), 'expires_at'],
    ['without a reason', suspend(undefined, ''), 'reason'],
    ['with a reason of many lines', suspend(undefined, 'a\nb'), 'reason'],
    ['with a reason without an end', suspend(undefined, 'x'.repeat(501)), 'reason'],
  ])('%s is 422, names the field and changes nothing', async (_name, options, field) => {
    await using at = await openTestHouse({ opened: false })
    const answer = await at.call('PUT', '/api/modes/routes', options)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', field] }] } })
    expect((await at.call('GET', '/api/modes')).body).toMatchObject({ settings: [] })
  })
})

describe('modes', () => {
  it('of a component that there is not, or of no name, are refused', async () => {
    await using at = await openTestHouse({ opened: false })
    expect((await at.call('PUT', '/api/modes/dsn', suspend())).status).toBe(422)
    expect((await at.call('PUT', '/api/modes/routes', { body: { mode: 'heal' } })).status).toBe(422)
  })

  it('cannot be laxer than the installation: the answer says what goes before', async () => {
    await using at = await openTestHouse({ opened: false, env: { PLUMBLINE_MODE: 'observe' } })
    const { status, body } = await at.call('PUT', '/api/modes/routes', { body: { mode: 'repair' } })
    expect(status).toBe(200)
    expect(body['warnings']).toEqual([expect.stringContaining('PLUMBLINE_MODE')])
    expect(body['components']).toMatchObject([{ mode: 'observe' }])
    expect(body['message']).toBe('routes is set to repair, and stays in mode observe.')
    const all = await at.call('PUT', '/api/modes/*', { body: { mode: 'repair' } })
    expect(all.body['message']).toBe('The installation is set to repair, and stays in mode observe.')
    const expires_at = until(Date.now() + HOUR_MS)
    const observed = await at.call('PUT', '/api/modes/*', { body: { mode: 'observe', expires_at } })
    expect(observed.body['message']).toBe(`The installation is in mode observe until ${expires_at}.`)
    const ended = await at.call('DELETE', '/api/modes/*')
    expect(ended.body['message']).toBe(
      'The mode observe of the installation has ended. What stands now: observe (PLUMBLINE_MODE).',
    )
  })

  it('a suspension over a standing observe says that this stands again at its end, and so it does', async () => {
    const clock = movedClock()
    await using at = await openTestHouse({ opened: false, clock })
    const observe = { body: { mode: 'observe', reason: 'we only watch' } }
    await at.call('PUT', '/api/modes/routes', observe)
    const said = ['At its end: observe (we only watch), as it stood before.']
    expect((await at.call('PUT', '/api/modes/routes?dry_run=true', suspend())).body).toMatchObject({
      plan: { warnings: said },
    })
    expect((await at.call('PUT', '/api/modes/routes', suspend())).body).toMatchObject({
      warnings: said,
      components: [{ mode: 'suspend', standing: { mode: 'observe', reason: 'we only watch', actor: 'key' } }],
    })
    // A second one is another end, not another layer.
    await at.call('PUT', '/api/modes/routes', suspend(until(clock.now() + HOUR_MS / 2)))
    clock.step(HOUR_MS * 0.75)
    const stands = {
      scope: 'routes',
      mode: 'observe',
      reason: 'we only watch',
      expires_at: null,
      standing: null,
    }
    expect((await at.call('GET', '/api/modes')).body).toMatchObject({
      components: [stands],
      settings: [{ ...stands, expired: false }],
    })
    const again = await at.call('PUT', '/api/modes/routes', suspend(until(clock.now() + HOUR_MS)))
    expect(again.body['warnings']).toEqual(said)
    const repaired = await at.call('PUT', '/api/modes/routes', { body: { mode: 'repair' } })
    expect(repaired.body).toMatchObject({
      components: [{ mode: 'repair' }],
      warnings: [
        'This also ends the mode observe (we only watch), which stood before the mode suspend; "plumbline mode set observe routes" sets it again.',
      ],
    })
  })

  itInDepth(
    'one that is resumed gives way to what stood before, over a restart, and a repeat ends nothing more',
    async () => {
      await using first = await openTestHouse({ opened: false })
      await first.call('PUT', '/api/modes/routes', { body: { mode: 'observe', reason: 'we only watch' } })
      await first.call('PUT', '/api/modes/routes', suspend())
      await using at = await first.reopen()
      const dry = await at.call('DELETE', '/api/modes/routes?dry_run=true')
      expect(dry).toMatchObject({ status: 200, body: { dry_run: true } })
      const resumed = await at.call('DELETE', '/api/modes/routes')
      expect(resumed).toMatchObject({
        status: 200,
        body: {
          message: 'The mode suspend of routes has ended. observe (we only watch) stands again.',
          components: [{ mode: 'observe', scope: 'routes', reason: 'we only watch' }],
          warnings: [],
        },
      })
      expect((await at.call('DELETE', '/api/modes/routes')).status).toBe(404)
      await at.call('PUT', '/api/modes/*', suspend())
      expect((await at.call('DELETE', '/api/modes/*')).body).toMatchObject({
        components: [{ mode: 'observe' }],
        settings: [
          { scope: '*', mode: 'repair' },
          { scope: 'routes', mode: 'observe' },
        ],
      })
      const trail = JSON.stringify((await at.call('GET', '/api/audit?action=end_mode')).body)
      expect(trail).toContain('"ended":"suspend"')
    },
  )

  it('the same mode with an earlier end says what it replaces', async () => {
    await using at = await openTestHouse({ opened: false })
    await at.call('PUT', '/api/modes/routes', suspend(until(Date.now() + 2 * HOUR_MS)))
    const shorter = await at.call('PUT', '/api/modes/routes', suspend(until(Date.now() + HOUR_MS), 'sooner'))
    expect(shorter.body['warnings']).toEqual([
      'At its end: repair. This replaces the mode suspend (moving house), which does not come back by itself; "plumbline mode set suspend routes" sets it again.',
    ])
  })

  itInDepth(
    'one with an end goes over another one with an end, which stands again, whichever way the upper one ends',
    async () => {
      const clock = movedClock({ stands: true })
      await using first = await openTestHouse({ opened: false, clock })
      const began_at = clock.now()
      const hours = (many: number) => until(began_at + many * HOUR_MS)
      const observe = (many: number) => ({
        body: { mode: 'observe', reason: `watched for ${many} h`, expires_at: hours(many) },
      })
      await first.call('PUT', '/api/modes/routes', observe(2))
      const below = { mode: 'observe', reason: 'watched for 2 h', actor: 'key', expires_at: hours(2) }
      // Ends below it meanwhile: nothing stands at its end, and something if it is ended before.
      expect((await first.call('PUT', '/api/modes/routes', suspend(hours(3)))).body).toMatchObject({
        components: [{ mode: 'suspend', standing: null, below: [below] }],
        warnings: [],
      })
      expect((await first.call('DELETE', '/api/modes/routes?dry_run=true')).body).toMatchObject({
        plan: {
          warnings: [
            `This ends the mode suspend (moving house) of routes. observe (watched for 2 h) until ${hours(2)} stands again.`,
          ],
        },
      })
      expect((await first.call('DELETE', '/api/modes/routes')).body).toMatchObject({
        message: `The mode suspend of routes has ended. observe (watched for 2 h) until ${hours(2)} stands again.`,
        components: [{ ...below, scope: 'routes', standing: null, below: [] }],
      })
      expect((await first.call('PUT', '/api/modes/routes', suspend(hours(1)))).body).toMatchObject({
        components: [{ mode: 'suspend', standing: below, below: [below] }],
        warnings: [`At its end: observe (watched for 2 h) until ${hours(2)}, as it stood before.`],
      })
      await using at = await first.reopen()
      clock.step(1.5 * HOUR_MS)
      expect((await at.call('GET', '/api/modes')).body).toMatchObject({ components: [below] })
      clock.step(HOUR_MS)
      expect((await at.call('GET', '/api/modes')).body).toMatchObject({ components: [{ mode: 'repair' }] })
      // One that has ended is no layer.
      expect((await at.call('PUT', '/api/modes/routes', suspend(hours(9)))).body).toMatchObject({
        components: [{ mode: 'suspend', below: [] }],
      })
      const over = await at.call('PUT', '/api/modes/routes', {
        body: { mode: 'repair', expires_at: hours(8) },
      })
      expect(over.body).toMatchObject({ components: [{ mode: 'repair', standing: { mode: 'suspend' } }] })
      for (const mode of ['observe', 'repair', 'observe', 'repair'])
        expect(
          (await at.call('PUT', '/api/modes/routes', { body: { mode, expires_at: hours(7) } })).status,
        ).toBe(200)
      const beyond = await at.call('PUT', '/api/modes/routes', observe(6))
      expect(beyond).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(JSON.stringify(beyond.body)).toContain('mode resume routes')
      const cleared = await at.call('PUT', '/api/modes/routes', { body: { mode: 'repair' } })
      expect(cleared.body).toMatchObject({
        components: [{ mode: 'repair', below: [] }],
        warnings: expect.arrayContaining([
          expect.stringContaining('also ends the mode suspend (moving house)'),
        ]) as unknown,
      })
      const [trail] = (await at.call('GET', '/api/audit?action=set_mode&limit=1')).body as unknown as object[]
      expect(trail).toMatchObject({
        detail: { mode: 'repair', ended: ['repair', 'observe', 'repair', 'observe', 'repair', 'suspend'] },
      })
    },
  )

  itInDepth(
    'of equally careful ones the one that lasts longest is named, whichever was set last',
    async () => {
      await using first = await openTestHouse({ opened: false })
      const hour = { body: { mode: 'observe', reason: 'an hour', expires_at: until(Date.now() + HOUR_MS) } }
      const named = async (at: typeof first) =>
        ((await at.call('GET', '/api/modes')).body['components'] as unknown as { scope: string }[])[0]?.scope
      const set = async (scope: string, body: typeof hour | { body: { mode: string } }) => {
        await first.call('PUT', `/api/modes/${scope}`, body)
        return named(first)
      }
      const standing = { body: { mode: 'observe' } }
      await set('routes', hour)
      expect(await set('*', standing)).toBe('*')
      await set('routes', { body: { mode: 'repair' } })
      expect(await set('routes', hour)).toBe('*')
      await set('*', { body: { mode: 'repair' } })
      await set('*', hour)
      expect(await set('routes', standing)).toBe('routes')
      expect(await set('*', standing)).toBe('routes')
      await using at = await first.reopen()
      expect(await named(at)).toBe('routes')
    },
  )

  itInDepth(
    'repair for a time over an observe is shown until its end, which is told once, also of a time without a process',
    async () => {
      const clock = movedClock({ stands: true })
      await using first = await openTestHouse({ clock })
      await createActive(first.call)
      await first.call('PUT', '/api/modes/routes', { body: { mode: 'observe', reason: 'we only watch' } })
      const expires_at = until(clock.now() + HOUR_MS)
      await first.call('PUT', '/api/modes/routes', { body: { mode: 'repair', expires_at } })
      expect((await first.call('GET', '/api/modes')).body).toMatchObject({
        components: [{ mode: 'repair', scope: 'routes', expires_at, standing: { mode: 'observe' } }],
      })
      // By it the console knows that there is something to ask for.
      expect((await first.call('GET', '/api/overview')).body).toMatchObject({ modes_set: 1 })
      const told = async (at: typeof first) => {
        const page = await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })
        return (page.body as unknown as { kind: string; message: string }[])
          .filter(({ kind, message }) => kind === 'mode' && message.includes('ended at its time'))
          .map(({ message }) => message)
      }
      const ends = [
        `The mode repair of routes ended at its time, ${expires_at}. What stands now: observe (we only watch).`,
      ]
      clock.step(2 * HOUR_MS)
      appendFileSync(first.house.routes_path, '# stranger\n')
      await expect.poll(() => told(first)).toEqual(ends)
      expect(first.routes()).toContain('# stranger')
      await first.call('PUT', '/api/modes/routes', suspend(until(clock.now() + HOUR_MS)))
      const again = until(clock.now() + HOUR_MS)
      // Nothing is looked at any more before it is closed.
      await using at = await reopenedLater(first, () => clock.step(2 * HOUR_MS))
      ends.push(
        `The mode suspend of routes ended at its time, ${again}. What stands now: observe (we only watch).`,
      )
      await expect.poll(() => told(at)).toEqual(ends)
      await using once = await at.reopen()
      await once.call('PUT', '/api/modes/routes', suspend(until(clock.now() + HOUR_MS)))
      expect(await told(once)).toEqual(ends)
    },
  )

  itInDepth('the end comes by itself where nobody looks, and what stood below is in force', async () => {
    await using at = await openTestHouse()
    await at.call('PUT', '/api/modes/*', { body: { mode: 'observe' } })
    const expires_at = until(Date.now() + 2000)
    await at.call('PUT', '/api/modes/*', { body: { mode: 'repair', expires_at } })
    const events = async () =>
      JSON.stringify((await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })).body)
    await expect
      .poll(events)
      .toContain(
        `The mode repair of the installation ended at its time, ${expires_at}. What stands now: observe.`,
      )
  })

  itInDepth.each([
    ['DELETE', undefined],
    ['PUT', { body: { mode: 'repair' } }],
  ])('a plan of ending a suspension by %s shows what is repaired then', async (method, options) => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const dry = async () =>
      ((await at.call(method, '/api/modes/routes?dry_run=true', options)).body as { plan?: unknown }).plan
    await at.call('PUT', '/api/modes/routes', suspend())
    appendFileSync(at.house.routes_path, '# stranger\n')
    const plan = await dry()
    expect(plan).toMatchObject({ actions: [{ component: 'routes', reason: 'repair' }], left: [] })
    expect(JSON.stringify(plan)).not.toContain('is suspended')
    // Where it only observes from then on, nothing of it is done.
    await at.call('PUT', '/api/modes/*', { body: { mode: 'observe' } })
    expect(await dry()).toMatchObject({
      actions: [],
      left: [{ component: 'routes', mode: 'observe', differences: 1 }],
    })
    await at.call('PUT', '/api/modes/*', { body: { mode: 'repair' } })
    expect((await at.call(method, '/api/modes/routes', options)).status).toBe(200)
    await expectHealed(at.call)
    expect(at.routes()).not.toContain('# stranger')
  })

  it('on a dry run are not set', async () => {
    await using at = await openTestHouse({ opened: false })
    const answer = await at.call('PUT', '/api/modes/*?dry_run=true', suspend())
    expect(answer).toMatchObject({ status: 200, body: { dry_run: true } })
    const { body } = await at.call('GET', '/api/modes')
    expect(body).toMatchObject({ settings: [], components: [{ mode: 'repair' }] })
  })

  itInDepth('observe leaves a hand edit where it is and tells of it once', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    await at.call('PUT', '/api/modes/routes', { body: { mode: 'observe', reason: 'to see who it is' } })
    const events = async () =>
      (await at.call('GET', '/api/events', { headers: { accept: 'application/json' } })).body as unknown as {
        kind: string
      }[]
    for (const text of ['# one\n', '# two\n']) {
      appendFileSync(at.house.routes_path, text)
      await expect.poll(() => at.house.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    }
    await expect.poll(async () => (await events()).filter(({ kind }) => kind === 'drift').length).toBe(1)
    expect(at.routes()).toContain('# two')
  })
})
