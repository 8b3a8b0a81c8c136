/** Orders that do not go well: what is said, what is waited for, what is left, and how it ends well all the same. */
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { failureOf, untilObtained } from './attempts.ts'
import { lookElsewhere, newWorld, PLAIN, tidyRemains, WHY, WILD, type World } from './world.ts'
import { certificateRecords } from '../../../../src/features/certificates/records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Nothing of the order is left but its trouble. */
const ONLY_TROUBLE = {
  records: [],
  stranger: true,
  orders: 0,
  waiting_keys: 0,
  troubles: 1,
  versions: [],
  installed: [],
}

test('a validation that fails: its words, an hour of waiting, nothing left, the failed names in the ledger', async () => {
  const world = await newWorld()
  const mend = lookElsewhere(world)
  const failure = await failureOf(world.issuer().issue(WILD, WHY))
  expect(failure.code).toBe('provider_refused')
  expect(failure.message).toMatch(/validation failed.*example\.com: the TXT record says something else/)
  expect(failure.details.retry_after_ms).toBeGreaterThanOrEqual(HOUR)
  expect(await world.remains()).toEqual(ONLY_TROUBLE)
  const query = { directory: world.acme.directory, kind: 'failed_authorization', since: 0 } as const
  expect(await world.store.of(certificateRecords).ledger({ ...query, subject: 'example.com' })).toHaveLength(
    1,
  )
  expect(
    await world.store.of(certificateRecords).ledger({ ...query, subject: 'www.example.com' }),
  ).toHaveLength(1)

  mend()
  const early = await failureOf(world.issuer().issue(WILD, WHY))
  expect(early.message).toContain('The next try is at')
  expect(world.acme.orders).toHaveLength(1)
  world.clock.pass(failure.details.retry_after_ms!)
  const installed = await world.issuer().issue(WILD, WHY)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('failures in a row are spaced out to a day, and the authority sees at most four an hour', async () => {
  const world = await newWorld()
  lookElsewhere(world)
  const waits: number[] = []
  for (let i = 0; i < 7; i++) {
    const { details } = await failureOf(world.issuer().issue(PLAIN, WHY))
    waits.push(Math.floor(details.retry_after_ms! / HOUR))
    world.clock.pass(details.retry_after_ms!)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 25, 25])
  expect(world.acme.failed).toHaveLength(7)
})

describe('an authority that never decides', () => {
  test.each([
    ['about the names', 'validates', 'validating the names'],
    ['to issue', 'issues', 'issuing the certificate'],
  ] as const)('%s: it is looked at for an hour, then given up', async (_what, duty, words) => {
    const world = await newWorld()
    world.acme[duty] = 'never'
    const first = await failureOf(world.issuer().issue(PLAIN, WHY))
    expect(first.details.facts).toMatchObject({ unfinished: true })
    expect(first.message).toContain(words)
    expect(await world.store.of(certificateRecords).certificateFailures()).toEqual([])

    let last = first
    for (let i = 0; i < 60 && last.code !== 'provider_refused'; i++) {
      world.clock.pass(last.details.retry_after_ms!)
      last = await failureOf(world.issuer().issue(PLAIN, WHY))
    }
    expect(last.message).toMatch(/since 2026-07-22T10:1\d.*without a result/)
    expect(await world.remains()).toEqual(ONLY_TROUBLE)
    expect(world.acme.orders).toHaveLength(1)
  })
})

test('an order that ended while the host slept is replaced by another one', async () => {
  const world = await newWorld()
  world.acme.validates = 'never'
  await failureOf(world.issuer().issue(PLAIN, WHY))
  world.clock.set(8 * DAY)
  world.acme.validates = 'by the records'
  const { installed, failures } = await untilObtained(world, () => world.issuer(), { wish: PLAIN, most: 1 })
  expect(failures[0]?.message).toMatch(/order is invalid|order ended/)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('an authority that lost its books is asked anew within a minute or two', async () => {
  const world = await newWorld()
  world.acme.validates = 'never'
  await failureOf(world.issuer().issue(PLAIN, WHY))
  world.acme.validates = 'by the records'
  world.acme.orders.splice(0)
  const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(failure.details.retry_after_ms).toBeLessThanOrEqual(2 * MINUTE)
  world.clock.pass(failure.details.retry_after_ms!)
  const installed = await world.issuer().issue(PLAIN, WHY)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
})

test('records that do not get about: the server is named, and the order goes on when they do', async () => {
  const world = await newWorld()
  world.dns.lag = Infinity
  const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(failure.details.facts).toMatchObject({ unfinished: true, step: 'presented' })
  expect(failure.message).toContain('ns1.example.net does not show it')
  // Somebody takes the record away: it is put there again.
  world.dns.records.clear()
  await world.dns.present({ name: '_acme-challenge.example.com', value: 'of somebody else' })
  world.dns.lag = 0
  const installed = await world.issuer().issue(PLAIN, WHY)
  expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
  expect(world.acme.orders).toHaveLength(1)
})

describe('what is handed out and not what was ordered is not stored', () => {
  test.each([
    ['for other names', { names: ['evil.test'] }, 'not for app.example.com'],
    ['for a name too many', { names: ['app.example.com', 'evil.test'] }, 'also for evil.test'],
    ['for another key', { key: 'of somebody else' }, 'another key'],
    ['expired', { not_after: 0 }, 'ended at'],
  ])('%s', async (_what, spoilt, words) => {
    const world = await newWorld()
    world.acme.spoil = (paper) => ({ ...paper, ...spoilt })
    const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
    expect(failure.message).toContain(`ca.test handed out a certificate`)
    expect(failure.message).toContain(words)
    expect(failure.details.retry_after_ms).toBeGreaterThanOrEqual(HOUR)
    expect(await world.remains()).toEqual(ONLY_TROUBLE)
  })

  test('the one that stands stays when its successor is no better', async () => {
    const world = await newWorld()
    const standing = await world.issuer().issue(PLAIN, WHY)
    world.clock.pass(60 * DAY)
    world.acme.spoil = (paper) => ({ ...paper, not_before: 0, not_after: standing.not_after })
    const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
    expect(failure.message).toContain('not later than the one it replaces')
    expect(await world.store.of(certificateRecords).certificates()).toEqual([standing])
    expect(await world.remains()).toMatchObject({ versions: [standing.fingerprint], orders: 0 })
  })
})

test('an authority without DNS-01 is named as that', async () => {
  const world = await newWorld()
  world.acme.offers_dns = false
  const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(failure.message).toContain('does not offer to validate app.example.com by a DNS record')
  expect(await world.remains()).toEqual(ONLY_TROUBLE)
})

test('a rate limit with Retry-After: nothing is asked until then, over a restart, and the order goes on', async () => {
  const world = await newWorld()
  const { acme } = world
  const busy = new Failure('provider_busy', 'ca.test did not order: too many (rateLimited).', {
    retry_after_ms: 3600_000,
  })
  acme.newOrder = () => Promise.reject(busy)
  const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(failure).toMatchObject({ code: 'provider_busy', details: { retry_after_ms: 3600_000 } })
  world.clock.pass(HOUR - 1)
  expect((await failureOf(world.issuer().issue(PLAIN, WHY))).details.retry_after_ms).toBe(1)
  expect(acme.orders).toHaveLength(0)
  world.clock.pass(1)
  Reflect.deleteProperty(acme, 'newOrder')
  await world.issuer().issue(PLAIN, WHY)
  const ordered = await world.store.of(certificateRecords).ledger({
    directory: acme.directory,
    kind: 'ordered',
    subject: '["app.example.com"]',
    since: 0,
  })
  expect(ordered).toHaveLength(1)
})

test('the ledger stops the fifth certificate of a week before anybody is asked', async () => {
  const world = await newWorld()
  for (let i = 0; i < 4; i++) {
    await world.issuer().issue(PLAIN, WHY)
    world.clock.pass(HOUR)
  }
  const failure = await failureOf(world.issuer().issue(PLAIN, WHY))
  expect(failure.code).toBe('provider_busy')
  expect(failure.message).toContain('4 certificates for the same names in 7 days')
  expect(failure.details.retry_after_ms).toBeLessThanOrEqual(7 * DAY)
  expect(world.acme.orders).toHaveLength(4)
  expect(await world.store.of(certificateRecords).certificateFailures()).toEqual([])
  await world.issuer().issue(WILD, WHY)
  world.clock.pass(failure.details.retry_after_ms!)
  await world.issuer().issue(PLAIN, WHY)
})

describe('towards the ledger of certificates', () => {
  const counted = async ({ store, acme }: World): Promise<number> => {
    const query = { directory: acme.directory, kind: 'issued', since: 0 } as const
    return (await store.of(certificateRecords).ledger({ ...query, subject: '["app.example.com"]' })).length
  }
  const failOnce = async (world: World): Promise<void> => {
    const { details } = await failureOf(world.issuer().issue(PLAIN, WHY))
    world.clock.pass(details.retry_after_ms!)
  }

  test('an authority that refuses to issue costs no week: nothing came of it', async () => {
    const world = await newWorld()
    world.acme.finalize = () => Promise.reject(new Failure('provider_refused', 'CAA forbids it.'))
    for (let i = 0; i < 5; i++) await failOnce(world)
    expect(await counted(world)).toBe(0)
    Reflect.deleteProperty(world.acme, 'finalize')
    await world.issuer().issue(PLAIN, WHY)
    expect(await counted(world)).toBe(1)
  })

  test('what was issued counts, also where it was not good or nobody saw it', async () => {
    const world = await newWorld()
    world.acme.spoil = (paper) => ({ ...paper, names: ['evil.test'] })
    await failOnce(world)
    expect(await counted(world)).toBe(1)
    world.acme.issues = 'never'
    await failureOf(world.issuer().issue(PLAIN, WHY))
    world.clock.pass(HOUR)
    await failOnce(world)
    expect(await counted(world)).toBe(2)
    await failureOf(world.issuer().issue(PLAIN, WHY))
    await world.issuer().tidy([], WHY.signal)
    expect(await counted(world)).toBe(3)
  })
})
