/** What else the issuer does: shares work, foresees, tidies up, asks when to renew. */
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { renewalDue } from '../../../../src/features/certificates/issuing/renewal.ts'
import { failureOf } from './attempts.ts'
import { newRequest } from './paper.ts'
import { never, newWorld, PLAIN, tidyRemains, WHY, WILD, type World } from './world.ts'
import { certificateRecords } from '../../../../src/features/certificates/records.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('asked twice at a time for the same', () => {
  test('both get the one certificate', async () => {
    const world = await newWorld()
    const issuer = world.issuer()
    const [a, b] = await Promise.all([issuer.issue(PLAIN, WHY), issuer.issue(PLAIN, WHY)])
    expect(a).toEqual(b)
    expect(world.acme.issued).toHaveLength(1)
  })

  test('both get the one failure', async () => {
    const world = await newWorld()
    world.acme.sees = () => false
    const issuer = world.issuer()
    const both = await Promise.all([failureOf(issuer.issue(PLAIN, WHY)), failureOf(issuer.issue(PLAIN, WHY))])
    expect(both[0]).toBe(both[1])
    expect(world.acme.orders).toHaveLength(1)
  })

  test('the first goes away: the second goes on', async () => {
    const world = await newWorld()
    const caller = new AbortController()
    const issuer = world.issuer()
    const first = issuer.issue(PLAIN, { reason: 'x', signal: caller.signal })
    const second = issuer.issue(PLAIN, WHY)
    caller.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await second
    expect(world.acme.orders).toHaveLength(1)
  })

  test('the second goes away: it does not wait for the first', async () => {
    const world = await newWorld()
    const issuer = world.issuer()
    const caller = new AbortController()
    const first = issuer.issue(PLAIN, WHY)
    const second = issuer.issue(PLAIN, { reason: 'x', signal: caller.signal })
    caller.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    await first
  })

  test('the second wants other names: it gets them after the first', async () => {
    const world = await newWorld()
    const issuer = world.issuer()
    const more = { ...PLAIN, names: ['app.example.com', 'b.example.com'] }
    const [, second] = await Promise.all([issuer.issue(PLAIN, WHY), issuer.issue(more, WHY)])
    expect(second.names).toEqual(more.names)
    expect(await world.store.of(certificateRecords).certificates()).toEqual([second])
  })
})

describe('preflight', () => {
  test('nothing stands in the way, and nothing is written or ordered', async () => {
    const world = await newWorld()
    expect(await world.issuer().preflight(WILD, never)).toEqual([])
    expect(world.acme.orders).toEqual([])
    expect(await world.remains()).toMatchObject({ orders: 0, waiting_keys: 0 })
  })

  test('a zone that is missing, an account that refuses, CAA, the ledger and trouble are each named', async () => {
    const world = await newWorld()
    world.dns.without_zone = ['_acme-challenge.example.com']
    const refuses = new Failure('provider_credentials', 'powerdns does not accept the key.')
    const obstacle = world.dns.obstacle.bind(world.dns)
    world.dns.obstacle = (name) => (name.includes('www') ? Promise.reject(refuses) : obstacle(name))
    const asked: string[] = []
    const caa = {
      evaluate: ({ name, identities }: { name: string; identities: readonly string[] }) => {
        asked.push(`${name} ${identities.join()}`)
        const allowed = name.startsWith('*') ? false : null
        return Promise.resolve({ allowed, detail: 'example.com allows other.test only' })
      },
    }
    const now = world.clock.now()
    await world.store.write(async (tx) => {
      const { directory } = world.acme
      const entry = { at: now, directory, kind: 'issued', subject: JSON.stringify(WILD.names) } as const
      for (let i = 0; i < 4; i++) await tx.of(certificateRecords).addToLedger(entry)
      const trouble = { name: WILD.name, failures: 3, directory, code: 'provider_refused' } as const
      const times = { failed_at: now, next_try_at: now + HOUR }
      await tx
        .of(certificateRecords)
        .saveFailure({ ...trouble, ...times, message: 'It says no.', rehearse: false })
    })
    expect(await world.issuer({ caa }).preflight(WILD, never)).toEqual([
      { what: 'zone', detail: 'no zone holds _acme-challenge.example.com', until: null },
      { what: 'writable', detail: 'powerdns does not accept the key.', until: null },
      { what: 'caa', detail: 'example.com allows other.test only', until: null },
      { what: 'ledger', detail: expect.stringContaining('in 7 days') as string, until: now + 7 * DAY },
      { what: 'trouble', detail: expect.stringContaining('Failed 3 times') as string, until: now + HOUR },
    ])
    expect(asked).toEqual(WILD.names.map((name) => `${name} ca.test`))
  })
})

describe('tidying up', () => {
  const begun = async (): Promise<World> => {
    const world = await newWorld()
    world.acme.issues = 'never'
    world.dns.remove = () => Promise.reject(new Failure('component_unavailable', 'powerdns is down.'))
    await failureOf(world.issuer().issue(PLAIN, WHY))
    expect(await world.remains()).toMatchObject({ orders: 1, waiting_keys: 1 })
    return world
  }
  const GONE = { records: [], stranger: true, orders: 0, waiting_keys: 0, troubles: 0 }

  test('an order that is wanted is left alone; one that nobody wants goes with all its traces', async () => {
    const world = await begun()
    Reflect.deleteProperty(world.dns, 'remove')
    await world.issuer().tidy([PLAIN], never)
    expect(await world.remains()).toMatchObject({ orders: 1, waiting_keys: 1 })
    await world.issuer().tidy([], never)
    expect(await world.remains()).toMatchObject(GONE)
  })

  test('what cannot be taken away stays on its row until it can', async () => {
    const world = await begun()
    await world.issuer().tidy([], never)
    const stuck = await world.remains()
    expect(stuck).toMatchObject({ orders: 1 })
    expect(stuck.records).toHaveLength(1)
    Reflect.deleteProperty(world.dns, 'remove')
    await world.issuer().tidy([], never)
    expect(await world.remains()).toMatchObject(GONE)
  })

  test('a certificate is there while its record cannot be removed: the row says so, and goes with the record', async () => {
    const world = await newWorld()
    world.dns.remove = () => Promise.reject(new Failure('component_unavailable', 'powerdns is down.'))
    expect((await failureOf(world.issuer().issue(PLAIN, WHY))).message).toBe('powerdns is down.')
    const [installed] = await world.store.of(certificateRecords).certificates()
    expect(await world.remains()).toMatchObject({
      orders: 1,
      troubles: 0,
      installed: [installed?.fingerprint],
    })
    Reflect.deleteProperty(world.dns, 'remove')
    await world.issuer().tidy([PLAIN], never)
    expect(await world.remains()).toEqual(tidyRemains(installed!.fingerprint))
  })

  test('a key whose order is gone goes, and trouble of names that nobody wants', async () => {
    const world = await newWorld()
    await world.files.keepRequest({ ...PLAIN, order_id: 'gone' }, newRequest('k', PLAIN.names), never)
    world.acme.sees = () => false
    await failureOf(world.issuer().issue(WILD, WHY))
    await world.issuer().tidy([WILD], never)
    expect(await world.remains()).toMatchObject({ waiting_keys: 0, troubles: 1 })
    await world.issuer().tidy([], never)
    expect(await world.remains()).toMatchObject(GONE)
  })

  test('an order that is being worked on is left alone, wanted or not', async () => {
    const world = await newWorld()
    const issuer = world.issuer()
    const present = world.dns.present.bind(world.dns)
    world.dns.present = async (record) => {
      await present(record)
      await issuer.tidy([], never)
    }
    const installed = await issuer.issue(PLAIN, WHY)
    expect(await world.remains()).toEqual(tidyRemains(installed.fingerprint))
  })
})

describe('asking when to renew', () => {
  const WINDOW = { explanation_url: null, retry_after_ms: 2 * HOUR }

  const withWindow = async () => {
    const world = await newWorld()
    const certificate = await world.issuer().issue(PLAIN, WHY)
    const start = world.clock.now() + 10 * DAY
    world.acme.window = { ...WINDOW, start, end: start + 2 * DAY }
    return { world, certificate, start }
  }

  test('the answer is kept and heeded, also by the next process, and asked for again when the authority likes', async () => {
    const { world, certificate, start } = await withWindow()
    const hinted = await world.issuer().askRenewal(certificate, never)
    expect(hinted.renewal).toMatchObject({ ari_id: certificate.ari_id, moment: start + DAY })
    expect(await world.store.of(certificateRecords).certificates()).toEqual([hinted])
    expect(renewalDue(hinted, start + DAY)).toMatchObject({ now: true, by: 'hint' })

    await world.issuer({ random: () => 0.9 }).askRenewal(hinted, never)
    expect(world.acme.asked_for_window).toBe(1)
    world.clock.pass(2 * HOUR)
    const again = await world.issuer({ random: () => 0.9 }).askRenewal(hinted, never)
    expect(world.acme.asked_for_window).toBe(2)
    expect(again.renewal?.moment).toBe(hinted.renewal?.moment)
  })

  test('an authority that is down: the old hint stands, and it is not asked at every look', async () => {
    const { world, certificate } = await withWindow()
    const hinted = await world.issuer().askRenewal(certificate, never)
    world.clock.pass(2 * HOUR)
    let asked = 0
    world.acme.renewalWindow = () => {
      asked++
      return Promise.reject(new Failure('component_unavailable', 'It does not answer.'))
    }
    const issuer = world.issuer()
    for (let i = 0; i < 10; i++) expect(await issuer.askRenewal(hinted, never)).toEqual(hinted)
    expect(asked).toBe(1)
    expect(await world.store.of(certificateRecords).certificates()).toEqual([hinted])
  })

  test('an authority without renewal information is asked every six hours', async () => {
    const world = await newWorld()
    const issuer = world.issuer()
    const certificate = await issuer.issue(PLAIN, WHY)
    for (let i = 0; i < 12; i++) {
      expect(await issuer.askRenewal(certificate, never)).toEqual(certificate)
      world.clock.pass(HOUR)
    }
    expect(world.acme.asked_for_window).toBe(2)
  })

  test('an answer that comes after the renewal is not put on the new certificate', async () => {
    const { world, certificate } = await withWindow()
    const { window } = world.acme
    world.acme.renewalWindow = async () => {
      await world.issuer().issue(PLAIN, WHY)
      return window
    }
    const standing = await world.issuer().askRenewal(certificate, never)
    expect(standing.fingerprint).not.toBe(certificate.fingerprint)
    expect(await world.store.of(certificateRecords).certificates()).toEqual([{ ...standing, renewal: null }])
  })

  test('one of another authority is not asked about', async () => {
    const { world, certificate } = await withWindow()
    const issuer = world.issuer({ acme: world.staging })
    expect(await issuer.askRenewal(certificate, never)).toEqual(certificate)
    expect(world.staging.asked_for_window).toBe(0)
  })

  test('an early window renews once: the new certificate is not due by the window of the old', async () => {
    const { world, certificate } = await withWindow()
    const { clock, acme } = world
    acme.window = { ...WINDOW, start: clock.now() - 2 * DAY, end: clock.now() - DAY }
    clock.pass(HOUR)
    const hinted = await world.issuer().askRenewal(certificate, never)
    expect(renewalDue(hinted, clock.now()).now).toBe(true)
    const renewed = await world.issuer().issue(PLAIN, WHY)
    expect(renewalDue(renewed, clock.now()).now).toBe(false)
    // An authority that goes on calling for it gets one an hour at most, and four a week.
    const again = await world.issuer().askRenewal(renewed, never)
    expect(renewalDue(again, clock.now())).toMatchObject({ now: false, at: renewed.obtained_at + HOUR })
  })
})
