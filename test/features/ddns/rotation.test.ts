/** The quarterly rotation over a real store: what the schedule ends, what it only tells, and that it skips nothing. */
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { rotateBySchedule, rotationByCalendar } from '../../../src/features/ddns/tokens/rotate-by-schedule.ts'
import { TokenRegistry } from '../../../src/features/ddns/tokens/token-registry.ts'
import { ddnsRecords, type DdnsToken } from '../../../src/features/ddns/records.ts'
import type { CalendarWork } from '../../../src/ports/schedule.ts'
import type { Store } from '../../../src/ports/store.ts'
import { eachScratch } from '../../store/scratch.ts'

const at = (text: string): number => Date.parse(text)
const DAY = 24 * 3_600_000
const MARCH = at('2026-03-29T02:00:00Z')
const JUNE = at('2026-06-28T02:00:00Z')

const scratch = eachScratch()
let store: Store
let tokens: TokenRegistry
const events = { added: () => undefined }

const token = (
  id: string,
  host: string,
  created: string,
  { expires_at = null, label = '' }: Partial<Pick<DdnsToken, 'expires_at' | 'label'>> = {},
): DdnsToken => ({
  id,
  host,
  digest: id,
  label,
  created_at: at(created),
  expires_at,
  last_used_at: null,
})

beforeEach(async () => {
  store = await scratch.open(scratch.directory())
  tokens = new TokenRegistry(store)
})

async function given(...list: readonly DdnsToken[]): Promise<void> {
  await store.write(async (tx) => {
    for (const one of list) await tx.of(ddnsRecords).addDdnsToken(one)
  })
  await tokens.load()
}

const rotate = (now: number) => rotateBySchedule({ store, events, tokens }, now)
const ends = async () =>
  Object.fromEntries((await store.of(ddnsRecords).ddnsTokens()).map(({ id, expires_at }) => [id, expires_at]))
const told = async () => (await store.eventsAfter(0, 100)).map(({ kind, facts }) => [kind, facts['hosts']])

describe('at the end of a quarter', () => {
  test('a token that is older and has a successor ends after 24 hours, and memory says the same as the store', async () => {
    await given(token('old', 'a.example.com', '2026-01-01'), token('new', 'a.example.com', '2026-06-10'))
    await rotate(JUNE)
    expect(await ends()).toEqual({ old: JUNE + DAY, new: null })
    expect(tokens.list()).toEqual(await store.of(ddnsRecords).ddnsTokens())
    const [event = expect.fail(), ...others] = await store.eventsAfter(0, 100)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      kind: 'token',
      facts: { token_id: 'old', host: 'a.example.com', label: '' },
    })
    expect(event.message).toBe(
      'The old site key for a.example.com ends at 2026-06-29T02:00:00.000Z: it is due, and its successor is there.',
    )
  })

  test('a key of another label is the key of another router, and no successor', async () => {
    await given(
      token('a', 'a.example.com', '2026-01-01', { label: 'router' }),
      token('b', 'a.example.com', '2026-07-01', { label: 'lte-backup' }),
    )
    await rotate(JUNE + 4 * DAY)
    expect(await ends()).toEqual({ a: null, b: null })
    expect(await told()).toEqual([['rotation_due', ['a.example.com']]])
  })

  test('an older token without a successor stays valid, and it is told that it is due', async () => {
    await given(
      token('alone', 'a.example.com', '2026-01-01'),
      token('young', 'b.example.com', '2026-06-10'),
      token('ending', 'c.example.com', '2026-01-01', { expires_at: JUNE + 1 }),
    )
    await rotate(JUNE)
    expect(await ends()).toEqual({ alone: null, young: null, ending: JUNE + 1 })
    expect(await told()).toEqual([['rotation_due', ['a.example.com']]])
    expect(await store.of(ddnsRecords).lastRotation()).toBe(JUNE)
  })

  test('a successor that is due itself ends nothing: two routers may share a host', async () => {
    await given(token('one', 'a.example.com', '2026-01-01'), token('two', 'a.example.com', '2026-05-01'))
    await rotate(JUNE)
    expect(await ends()).toEqual({ one: null, two: null })
    expect(await told()).toEqual([['rotation_due', ['a.example.com']]])
  })

  test('a successor of another host is none', async () => {
    await given(token('old', 'a.example.com', '2026-01-01'), token('new', 'b.example.com', '2026-05-01'))
    await rotate(JUNE)
    expect(await ends()).toEqual({ old: null, new: null })
  })

  test('two old tokens of one host both stay: neither is the successor of the other', async () => {
    await given(token('one', 'a.example.com', '2026-01-01'), token('two', 'a.example.com', '2026-02-01'))
    await rotate(JUNE)
    expect(await ends()).toEqual({ one: null, two: null })
    expect(await told()).toEqual([['rotation_due', ['a.example.com']]])
  })
})

describe('between the rotations', () => {
  test('nothing is due and nothing is written', async () => {
    await given(token('old', 'a.example.com', '2026-03-28'), token('new', 'a.example.com', '2026-05-01'))
    await rotate(MARCH + 1)
    await rotate(JUNE - 1)
    expect(await ends()).toEqual({ old: null, new: null })
    expect(await store.of(ddnsRecords).lastRotation()).toBe(MARCH)
  })

  test('the same rotation is told once, however often it is looked at and over a restart', async () => {
    await given(token('alone', 'a.example.com', '2026-01-01'))
    for (let hour = 0; hour < 48; hour++) await rotate(JUNE + hour * 3_600_000)
    await tokens.load()
    await rotate(JUNE + 10 * DAY)
    expect(await told()).toHaveLength(1)
  })

  test('a rotation that fell into a time when nothing ran is caught up, with its 24 hours from then', async () => {
    await given(token('old', 'a.example.com', '2026-01-01'), token('new', 'a.example.com', '2026-06-10'))
    await rotate(JUNE + 20 * DAY)
    expect(await ends()).toMatchObject({ old: JUNE + 21 * DAY })
    expect(await store.of(ddnsRecords).lastRotation()).toBe(JUNE)
  })

  test('a successor that is issued late ends the one that was due', async () => {
    await given(token('old', 'a.example.com', '2026-01-01'))
    await rotate(JUNE)
    await given(token('new', 'a.example.com', '2026-07-10'))
    await rotate(at('2026-07-11T00:00:00Z'))
    expect(await ends()).toMatchObject({ old: at('2026-07-12T00:00:00Z'), new: null })
  })
})

test('an installation without tokens never rotated', async () => {
  await rotate(JUNE)
  expect(await store.of(ddnsRecords).lastRotation()).toBeNull()
})

test('tokens that ended are listed for 30 days and then forgotten', async () => {
  await given(token('gone', 'a.example.com', '2026-05-01', { expires_at: JUNE }))
  await rotate(JUNE + 30 * DAY)
  expect(await ends()).toEqual({ gone: JUNE })
  await rotate(JUNE + 31 * DAY)
  expect(await ends()).toEqual({})
  expect(tokens.list()).toEqual([])
})

test('one whose end has come is ended for good, in memory and in the store, with its time', async () => {
  await given(
    token('over', 'a.example.com', '2026-05-01', { expires_at: JUNE }),
    token('on', 'b.example.com', '2026-06-01'),
  )
  await rotate(JUNE - 1)
  expect(await store.of(ddnsRecords).ddnsTokenByDigest('over')).not.toBeNull()
  await rotate(JUNE)
  expect(await store.of(ddnsRecords).ddnsTokenByDigest('over')).toBeNull()
  expect(await ends()).toEqual({ over: JUNE, on: null })
  expect(tokens.list()).toEqual(await store.of(ddnsRecords).ddnsTokens())
})

test('the calendar brings it every hour, and what fails is told', async () => {
  await given(token('old', 'a.example.com', '2026-03-10'), token('new', 'a.example.com', '2026-06-10'))
  let now = JUNE - 1
  const given_to: CalendarWork[] = []
  const warned: string[] = []
  const schedule = (work: CalendarWork) => {
    given_to.push(work)
    return { start: () => undefined, stop: async () => undefined }
  }
  const clock = { ...systemClock, now: () => now }
  const log = { ...silentLog, warn: (message: string) => void warned.push(message) }
  rotationByCalendar({ store, events, tokens, clock, log, schedule })
  const [{ pattern, work, failed } = expect.fail()] = given_to
  expect(pattern).toBe('0 * * * *')
  await work()
  expect(await ends()).toMatchObject({ old: null })
  now = JUNE
  await work()
  expect(await ends()).toMatchObject({ old: JUNE + DAY })
  failed(new Error('broken'))
  expect(warned).toEqual(['tokens not rotated'])
})
