/** The registry of reported addresses over a real store: what is written, when, and that memory never runs ahead of it. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../../src/kernel/clock.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { AddressRegistry, type AddressReport } from '../../../src/features/ddns/addresses/address-registry.ts'
import type { Store } from '../../../src/ports/store.ts'
import { eachScratch } from '../../store/scratch.ts'
import { ddnsRecords } from '../../../src/features/ddns/records.ts'

const HOST = 'home.example.com'
const MINUTE = 60_000

const scratch = eachScratch()
let directory: string
let real: Store
let now: number
let writes: number
let refuse: Failure | null
let told: number
let registry: AddressRegistry

const clock: Clock = {
  now: () => now,
  elapsed: () => now,
  sleep: () => Promise.reject(new Error('nothing here waits')),
}

/** Counts transactions, and refuses them when told to. */
const watched = (): Store => ({
  ...real,
  write: async (work) => {
    if (refuse !== null) throw refuse
    writes++
    return real.write(work)
  },
})

async function opened(): Promise<AddressRegistry> {
  const made = new AddressRegistry({
    store: watched(),
    clock,
    log: silentLog,
    eventsAdded: () => undefined,
    isNamed: () => Promise.resolve(true),
  })
  made.onChange(() => void told++)
  await made.load()
  return made
}

beforeEach(async () => {
  now = Date.UTC(2026, 6, 1)
  writes = 0
  told = 0
  refuse = null
  directory = scratch.directory()
  real = await scratch.open(directory)
  registry = await opened()
})

const report = (address: string, more: Partial<AddressReport> = {}): AddressReport => ({
  host: HOST,
  addresses: [{ address, type: address.includes(':') ? 'AAAA' : 'A' }],
  actor: 'token:1',
  by: { name: 'attic', request_id: 'r1' },
  note: null,
  ...more,
})

const kinds = async (given: AddressReport) => (await registry.report(given)).map(({ result }) => result.kind)
const stored = async () => (await real.of(ddnsRecords).reportedAddresses())[0]
const present = () => [registry.find(HOST)?.reported.ipv4 ?? null, registry.find(HOST)?.reported.ipv6 ?? null]

test('what comes too soon waits also where the caller has a name of its own for the request', async () => {
  const by = { name: 'attic', request_id: 'r1', caller_request_id: 'theirs' }
  await registry.report(report('84.1.2.3', { by }))
  expect(await kinds(report('84.9.9.9', { by }))).toEqual(['cooling'])
  expect(await real.of(ddnsRecords).pendingAddresses()).toMatchObject([
    { address: '84.9.9.9', by: { request_id: 'r1' } },
  ])
})

describe('a changed address', () => {
  test('that is taken back while it is being stored: the last report is the one that waits', async () => {
    await registry.report(report('84.1.2.3'))
    now += 2 * MINUTE
    const [there, back] = await Promise.all([kinds(report('84.9.9.9')), kinds(report('84.1.2.3'))])
    expect(there).toEqual(['changed'])
    expect(back).toEqual(['cooling'])
    expect(registry.find(HOST)?.pending).toMatchObject([{ address: '84.1.2.3' }])
  })

  test('is stored with its history and an event in one transaction, and told once it is durable', async () => {
    expect(await kinds(report('84.1.2.3'))).toEqual(['changed'])
    expect(writes).toBe(1)
    expect(told).toBe(1)
    expect(await stored()).toEqual({
      host: HOST,
      ipv4: '84.1.2.3',
      ipv6: null,
      changed_at: now,
      reported_at: now,
    })
    expect(await real.of(ddnsRecords).addressHistory(HOST, 10)).toEqual([
      { host: HOST, type: 'A', address: '84.1.2.3', at: now, actor: 'token:1' },
    ])
    expect(await real.eventsAfter(0, 10)).toMatchObject([{ kind: 'address', facts: { address: '84.1.2.3' } }])
  })

  test('of the other family stands beside the first, without waiting', async () => {
    await registry.report(report('84.1.2.3'))
    now += 1000
    expect(await kinds(report('2a02::1'))).toEqual(['changed'])
    expect(await stored()).toMatchObject({ ipv4: '84.1.2.3', ipv6: '2a02::1' })
  })

  test('that the store refuses has not happened: not in memory, not told, and it is taken at the next try', async () => {
    await registry.report(report('84.1.2.3'))
    now += MINUTE
    refuse = new Failure('storage_full', 'The disk is full.')
    await expect(registry.report(report('84.1.2.4'))).rejects.toThrow('The disk is full.')
    expect([present(), told]).toEqual([['84.1.2.3', null], 1])
    refuse = null
    expect(await kinds(report('84.1.2.4'))).toEqual(['changed'])
    expect(await stored()).toMatchObject({ ipv4: '84.1.2.4' })
  })

  test('is judged by what the one before it left, however many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => kinds(report(`84.1.2.${i + 1}`))))
    expect(answers.flat().filter((kind) => kind === 'changed')).toHaveLength(1)
    expect(await real.of(ddnsRecords).addressHistory(HOST, 100)).toHaveLength(1)
    expect(present()[0]).toBe((await stored())!.ipv4)
  })
})

describe('an unchanged address', () => {
  beforeEach(async () => {
    await registry.report(report('84.1.2.3'))
    writes = 0
    told = 0
  })

  test('costs no transaction within five minutes, and one after them', async () => {
    for (let i = 0; i < 1000; i++) await registry.report(report('84.1.2.3'))
    expect(writes).toBe(0)
    now += 5 * MINUTE
    for (let i = 0; i < 1000; i++) await registry.report(report('84.1.2.3'))
    expect(writes).toBe(1)
    expect(told).toBe(0)
    expect(await stored()).toMatchObject({ reported_at: now, changed_at: now - 5 * MINUTE })
  })

  test('is taken even when its time cannot be written down', async () => {
    now += 5 * MINUTE
    refuse = new Failure('storage_full', 'The disk is full.')
    expect(await kinds(report('84.1.2.3'))).toEqual(['unchanged'])
    expect(registry.find(HOST)!.reported.reported_at).toBe(now)
  })

  test('of one family does not hold up the other, which is new', async () => {
    now += 1000
    const both = report('84.1.2.3', {
      addresses: [
        { address: '84.1.2.3', type: 'A' },
        { address: '2a02::1', type: 'AAAA' },
      ],
    })
    expect(await kinds(both)).toEqual(['unchanged', 'changed'])
    expect(await real.of(ddnsRecords).addressHistory(HOST, 10)).toHaveLength(2)
  })
})

describe('an address that comes too soon', () => {
  test('is kept beside what could be taken at once, and is taken when it is due, with who reported it', async () => {
    await registry.report(report('84.1.2.3'))
    now += 1000
    const both = report('84.1.2.4', {
      addresses: [
        { address: '84.1.2.4', type: 'A' },
        { address: '2a02::1', type: 'AAAA' },
      ],
    })
    expect(await kinds(both)).toEqual(['cooling', 'changed'])
    expect(present()).toEqual(['84.1.2.3', '2a02::1'])
    const reported_at = now
    now += MINUTE - 1001
    await registry.settleDue()
    expect(present()).toEqual(['84.1.2.3', '2a02::1'])
    now += 1
    told = 0
    await registry.settleDue()
    expect([present(), told, registry.isWaiting()]).toEqual([['84.1.2.4', '2a02::1'], 1, false])
    expect(await stored()).toMatchObject({ ipv4: '84.1.2.4', changed_at: now, reported_at })
    expect(await real.of(ddnsRecords).pendingAddresses()).toEqual([])
    const [entry] = await real.auditTrail({ limit: 1 })
    expect(entry).toMatchObject({ actor: 'attic', request_id: 'r1', detail: { key: 'token:1' } })
  })

  test('waits on after a restart, and is taken at once when its time passed meanwhile', async () => {
    await registry.report(report('84.1.2.3'))
    now += 1000
    await registry.report(report('84.1.2.4'))
    now += 1000
    registry = await opened()
    expect(registry.find(HOST)!.pending).toMatchObject([{ address: '84.1.2.4', due_at: now - 2000 + MINUTE }])
    expect(await kinds(report('84.1.2.5'))).toEqual(['cooling'])
    now += 60 * MINUTE
    registry = await opened()
    await registry.settleDue()
    expect(present()).toEqual(['84.1.2.5', null])
  })

  test('costs one transaction, however often it is reported', async () => {
    await registry.report(report('84.1.2.3'))
    writes = 0
    for (let i = 0; i < 100; i++) await registry.report(report('84.1.2.4'))
    expect(writes).toBe(1)
  })

  test('goes on waiting while the store cannot take it', async () => {
    await registry.report(report('84.1.2.3'))
    await registry.report(report('84.1.2.4'))
    now += MINUTE
    refuse = new Failure('storage_full', 'The disk is full.')
    await expect(registry.settleDue()).rejects.toThrow('The disk is full.')
    expect([present(), registry.isWaiting()]).toEqual([['84.1.2.3', null], true])
    refuse = null
    await registry.settleDue()
    expect(present()).toEqual(['84.1.2.4', null])
  })

  test('goes with what was reported, when that is given up', async () => {
    await registry.report(report('84.1.2.3'))
    await registry.report(report('84.1.2.4'))
    await real.write((tx) => tx.of(ddnsRecords).dropReportedAddress(HOST))
    now += MINUTE
    await registry.settleDue()
    expect([registry.find(HOST), await real.of(ddnsRecords).reportedAddresses()]).toEqual([null, []])
  })

  test('is forgotten when the present one is reported again', async () => {
    await registry.report(report('84.1.2.3'))
    await registry.report(report('84.1.2.4'))
    await registry.report(report('84.1.2.3'))
    expect(await real.of(ddnsRecords).pendingAddresses()).toEqual([])
    now += MINUTE
    await registry.settleDue()
    expect(present()).toEqual(['84.1.2.3', null])
  })
})

describe('an address that goes back and forth', () => {
  const turns = ['84.1.2.3', '84.9.9.9', '84.1.2.3', '84.9.9.9']

  async function flap(): Promise<void> {
    await registry.report(report(turns[0]!))
    now += 60 * MINUTE
    for (const address of turns.slice(1)) {
      await registry.report(report(address))
      now += MINUTE
    }
  }

  test('is held where it stood before, with one event, and nothing more is written', async () => {
    await flap()
    await registry.report(report('84.1.2.3'))
    expect(present()).toEqual(['84.1.2.3', null])
    const before = (await real.of(ddnsRecords).addressHistory(HOST, 100)).length
    for (let i = 0; i < 20; i++) {
      now += MINUTE
      await registry.report(report(i % 2 === 0 ? '84.9.9.9' : '84.1.2.3'))
    }
    expect(await real.of(ddnsRecords).addressHistory(HOST, 100)).toHaveLength(before)
    expect(await stored()).toMatchObject({ ipv4: '84.1.2.3' })
    const flapping = (await real.eventsAfter(0, 100)).filter(({ kind }) => kind === 'flapping')
    expect(flapping).toMatchObject([{ facts: { flapping: true, address: '84.1.2.3' } }])
  })

  test('is found to do so across a restart', async () => {
    await flap()
    registry = await opened()
    await registry.report(report('84.1.2.3'))
    expect(registry.find(HOST)!.tracks.A.hold).not.toBeNull()
  })

  test('is taken when its ten minutes are over, though nobody reports again, also across a restart', async () => {
    await flap()
    await registry.report(report('84.1.2.3'))
    now += MINUTE
    await registry.report(report('84.9.9.9'))
    registry = await opened()
    expect(registry.find(HOST)!.tracks.A.hold).toEqual({ asked: '84.9.9.9', since: now })
    now += 10 * MINUTE
    await registry.settleDue()
    expect(present()).toEqual(['84.9.9.9', null])
    const flapping = (await real.eventsAfter(0, 100)).filter(({ kind }) => kind === 'flapping')
    expect(flapping.map(({ facts }) => facts['flapping'])).toEqual([true, false])
  })

  test('is taken again when one address is all that is reported for ten minutes, which is told', async () => {
    await flap()
    await registry.report(report('84.1.2.3'))
    for (let i = 0; i < 11; i++) {
      now += MINUTE
      await registry.report(report('84.9.9.9'))
    }
    expect(present()).toEqual(['84.9.9.9', null])
    const flapping = (await real.eventsAfter(0, 100)).filter(({ kind }) => kind === 'flapping')
    expect(flapping.map(({ facts }) => facts['flapping'])).toEqual([true, false])
  })
})

test('what was reported is there after a restart', async () => {
  await registry.report(report('84.1.2.3'))
  await registry.report(report('2a02::1'))
  await registry.report(report('84.5.5.5', { host: 'other.example.com' }))
  registry = await opened()
  expect(registry.hosts()).toEqual([HOST, 'other.example.com'])
  expect(present()).toEqual(['84.1.2.3', '2a02::1'])
  expect(await kinds(report('84.1.2.3'))).toEqual(['unchanged'])
})

test('of one host only so many reports wait to be written: whoever floods is asked to come again, and no other host is', async () => {
  await registry.report(report('84.1.2.3'))
  now += 2 * MINUTE
  const sent = Array.from({ length: 100 }, (_, i) => registry.report(report(`84.1.3.${i}`)))
  const other = registry.report(report('84.2.2.2', { host: 'attic.example.com' }))
  const refused = (await Promise.allSettled(sent)).flatMap((one) =>
    one.status === 'rejected' ? [one.reason] : [],
  )
  expect(refused.length).toBe(100 - 64)
  expect(refused[0]).toMatchObject({ code: 'store_unavailable' })
  expect((await other)[0]?.result.kind).toBe('changed')
  // They are over, and the next one is heard.
  now += 30 * MINUTE
  await expect(registry.report(report('84.1.9.9'))).resolves.toHaveLength(1)
})
