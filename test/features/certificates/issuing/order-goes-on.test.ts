/** Rehearsals, replacements, changes of mind and lost keys: how an order goes on from where another one, or another process, was. */
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { failureOf, untilObtained } from './attempts.ts'
import { newRequest } from './paper.ts'
import { lookElsewhere, newWorld, PLAIN, tidyRemains, WHY, type World } from './world.ts'
import { certificateRecords } from '../../../../src/features/certificates/records.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('after a failure in production the next try is rehearsed at staging, and only then made', async () => {
  const world = await newWorld()
  const { staging, acme } = world
  const mend = lookElsewhere(world)
  const first = await failureOf(world.issuer({ staging }).issue(PLAIN, WHY))
  staging.sees = () => false
  world.clock.pass(first.details.retry_after_ms!)
  const second = await failureOf(world.issuer({ staging }).issue(PLAIN, WHY))
  expect(staging.failed).toHaveLength(1)
  expect(acme.orders).toHaveLength(1)

  mend()
  staging.sees = acme.sees
  world.clock.pass(second.details.retry_after_ms!)
  const installed = await world.issuer({ staging }).issue(PLAIN, WHY)
  expect(staging.orders).toHaveLength(2)
  expect(staging.issued).toHaveLength(0)
  expect(installed.directory).toBe(acme.directory)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('a rehearsal that does not come about twice, because nobody answers there, is given up for the order itself', async () => {
  const world = await newWorld()
  const { staging, acme } = world
  const mend = lookElsewhere(world)
  let failure = await failureOf(world.issuer({ staging }).issue(PLAIN, WHY))
  mend()
  staging.newOrder = () => Promise.reject(new Failure('component_unavailable', 'staging.test is down.'))
  for (let tries = 0; tries < 2; tries++) {
    world.clock.pass(failure.details.retry_after_ms!)
    failure = await failureOf(world.issuer({ staging }).issue(PLAIN, WHY))
    expect(failure.message).toContain('staging.test is down.')
    expect(acme.orders).toHaveLength(1)
  }
  world.clock.pass(failure.details.retry_after_ms!)
  const installed = await world.issuer({ staging }).issue(PLAIN, WHY)
  expect(installed.directory).toBe(acme.directory)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('a rehearsal that staging refuses keeps the order from the authority, however often', async () => {
  const world = await newWorld()
  const { staging, acme } = world
  const mend = lookElsewhere(world)
  let failure = await failureOf(world.issuer({ staging }).issue(PLAIN, WHY))
  mend()
  staging.newOrder = () => Promise.reject(new Failure('provider_refused', 'CAA says no.'))
  for (let tries = 0; tries < 4; tries++) {
    world.clock.pass(failure.details.retry_after_ms!)
    failure = await failureOf(world.issuer({ staging }).issue(PLAIN, WHY))
    expect(acme.orders).toHaveLength(1)
  }
})

describe('replaces', () => {
  test('names the certificate that is renewed; refused, the order is made without it', async () => {
    const world = await newWorld()
    const first = await world.issuer().issue(PLAIN, WHY)
    world.clock.pass(60 * DAY)
    await world.issuer().issue(PLAIN, WHY)
    world.acme.refuses_replaces = true
    world.clock.pass(60 * DAY)
    const third = await world.issuer().issue(PLAIN, WHY)
    expect(world.acme.orders.map(({ replaces }) => replaces)).toEqual([null, first.ari_id, null])
    expect(await world.store.of(certificateRecords).certificates()).toEqual([third])
  })

  test('is not said to another authority', async () => {
    const world = await newWorld()
    await world.issuer().issue(PLAIN, WHY)
    const { staging } = world
    const moved = await world.issuer({ acme: staging }).issue(PLAIN, WHY)
    expect(staging.orders[0]?.replaces).toBeNull()
    expect(moved.directory).toBe(staging.directory)
  })
})

describe('what was begun and is not wanted any more', () => {
  test.each([
    [
      'other names',
      (_world: World) => ({}),
      { name: PLAIN.name, names: ['app.example.com', 'b.example.com'] },
    ],
    ['another authority', ({ staging }: World) => ({ acme: staging }), PLAIN],
  ])('%s: its traces go, and an order for what is wanted is made', async (_what, change, wish) => {
    const world = await newWorld()
    world.acme.validates = 'never'
    await failureOf(world.issuer().issue(PLAIN, WHY))
    world.acme.validates = 'by the records'
    const installed = await world.issuer(change(world)).issue(wish, WHY)
    expect(installed.names).toEqual(wish.names)
    expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
  })
})

test('records of a failed order that could not be removed go before the next one begins', async () => {
  const world = await newWorld()
  const mend = lookElsewhere(world)
  world.dns.remove = () => Promise.reject(new Failure('component_unavailable', 'powerdns is down.'))
  const first = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(first.message).toContain('The validation failed')
  expect((await world.remains()).records).toHaveLength(1)

  mend()
  world.clock.pass(first.details.retry_after_ms!)
  const second = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(second.message).toBe('powerdns is down.')
  expect(world.acme.orders).toHaveLength(1)

  Reflect.deleteProperty(world.dns, 'remove')
  world.clock.pass(second.details.retry_after_ms!)
  const installed = await world.issuer().issue(PLAIN, WHY)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('a key that is lost while the authority issues costs the order, not the name', async () => {
  const world = await newWorld()
  world.acme.issues = 'never'
  await failureOf(world.issuer().issue(PLAIN, WHY))
  for (const key of await world.files.requests(WHY.signal)) await world.files.dropRequest(key)
  world.acme.issues = 'at once'
  const { installed, failures } = await untilObtained(world, () => world.issuer(), { wish: PLAIN, most: 1 })
  expect(failures[0]?.message).toContain('The key of the certificate for app.example.com is gone')
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('after a crash the same key and request are sent again', async () => {
  const world = await newWorld()
  let made = 0
  const makeRequest = (names: readonly string[]) => Promise.resolve(newRequest(`key ${++made}`, names))
  world.acme.finalize = () => Promise.reject(new Error('killed'))
  await expect(world.issuer({ makeRequest }).issue(PLAIN, WHY)).rejects.toThrow('killed')
  Reflect.deleteProperty(world.acme, 'finalize')
  world.clock.pass(HOUR)
  await world.issuer({ makeRequest }).issue(PLAIN, WHY)
  expect(made).toBe(1)
})

test('who goes away takes nothing with them: no trouble, and the next one goes on', async () => {
  const world = await newWorld()
  const caller = new AbortController()
  world.dns.lag = Infinity
  const sleep = world.clock.sleep.bind(world.clock)
  world.clock.sleep = (ms, signal) => {
    caller.abort(new Error('gone'))
    return sleep(ms, signal)
  }
  const attempt = world.issuer().issue(PLAIN, { reason: 'x', signal: caller.signal })
  await expect(attempt).rejects.toThrow('gone')
  expect(await world.store.of(certificateRecords).certificateFailures()).toEqual([])
  world.clock.sleep = sleep
  world.dns.lag = 0
  await world.issuer().issue(PLAIN, WHY)
  expect(world.acme.orders).toHaveLength(1)
})
