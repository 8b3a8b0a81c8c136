/** How often somebody may call and guess: figures and ends of spans, by a clock that is moved by hand. */
import { describe, expect, it } from 'vitest'
import { UNKNOWN_CALLER, type Caller } from '../../../src/http/access/caller.ts'
import { keylessPace } from '../../../src/http/access/pace.ts'
import { unprovenProxies } from '../../../src/http/access/unproven-proxies.ts'
import { type Guessing, guessingWords, WrongKeys } from '../../../src/http/access/wrong-keys.ts'
import { recorder } from '../support.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const standing = () => {
  const clock = { at: 0, elapsed: () => clock.at }
  return clock
}
const times = (most: number, act: (i: number) => void) => Array.from({ length: most }, (_, i) => act(i))

describe('wrong keys of a network', () => {
  it('are ten a minute, and the rest waits, of that network alone', () => {
    const clock = standing()
    const keys = new WrongKeys(clock)
    times(9, () => keys.wrong('a'))
    expect([keys.shut('a'), keys.wrong('a')]).toEqual([0, 0])
    clock.at = 10
    expect([keys.shut('a'), keys.wrong('a'), keys.shut('b')]).toEqual([MINUTE - 10, MINUTE - 10, 0])
    clock.at = MINUTE - 1
    expect(keys.shut('a')).toBe(1)
    clock.at = MINUTE
    expect(keys.shut('a')).toBe(0)
  })

  it('shut nobody out who showed the right one within the hour', () => {
    const clock = standing()
    const keys = new WrongKeys(clock)
    keys.right('a')
    clock.at = HOUR - 1
    times(10, () => keys.wrong('a'))
    expect([keys.shut('a'), keys.wrong('a')]).toEqual([0, MINUTE])
    clock.at = HOUR
    expect(keys.shut('a')).toBe(MINUTE - 1)
    keys.right('a')
    expect(keys.shut('a')).toBe(0)
  })

  it('forget who was right the longest ago beyond ten thousand networks', () => {
    const keys = new WrongKeys(standing())
    const shut = ['a', 'b', 'c']
    shut.forEach((network) => void times(10, () => keys.wrong(network)))
    shut.forEach((network) => keys.right(network))
    keys.right('a')
    times(9997, (i) => keys.right(`network ${i}`))
    expect(shut.map((network) => keys.shut(network))).toEqual([0, 0, 0])
    keys.right('one more')
    expect(shut.map((network) => keys.shut(network))).toEqual([0, MINUTE, 0])
  })
})

describe('guessing', () => {
  it('is told above a hundred within an hour, once an hour, the busiest three first', () => {
    const clock = standing()
    clock.at = 5
    const keys = new WrongKeys(clock)
    const told: Guessing[] = []
    keys.onMany((guessing) => void told.push(guessing))
    times(10, () => keys.wrong('d'))
    times(20, () => keys.wrong(''))
    times(40, () => keys.wrong('b'))
    times(30, () => keys.wrong('a'))
    expect([keys.guessing(), told]).toEqual([null, []])
    keys.wrong('d')
    const all = { count: 101, networks: ['b', 'a', 'an unknown address'] }
    expect([keys.guessing(), told]).toEqual([all, [all]])
    expect(guessingWords(all)).toContain('b, a, an unknown address')
    clock.at = HOUR + 4
    times(101, () => keys.wrong('e'))
    expect(told).toHaveLength(1)
    clock.at = HOUR + 5
    expect(keys.guessing()).toEqual({ count: 101, networks: ['e'] })
    keys.wrong('e')
    expect(told.map(({ count }) => count)).toEqual([101, 102])
    clock.at = 3 * HOUR
    expect(keys.guessing()).toBeNull()
    keys.wrong('e')
    expect([told.length, keys.guessing()]).toEqual([2, null])
  })

  it('is not told of what came before the hour, and counts five thousand', () => {
    const clock = standing()
    const keys = new WrongKeys(clock)
    const told: Guessing[] = []
    keys.onMany((guessing) => void told.push(guessing))
    times(100, () => keys.wrong('a'))
    clock.at = HOUR
    keys.wrong('a')
    expect(told).toEqual([])
    times(5000, () => keys.wrong('b'))
    expect(keys.guessing()).toEqual({ count: 5000, networks: ['b'] })
  })

  it('may be heard by nobody', () => {
    const keys = new WrongKeys(standing())
    times(101, () => keys.wrong('a'))
    expect(keys.guessing()?.count).toBe(101)
  })
})

describe('calls without a key', () => {
  const caller = (more: Partial<Caller> = {}): Caller => ({ ...UNKNOWN_CALLER, holder: 'a', ...more })
  it.each<[Partial<Caller>, number]>([
    [{}, 120],
    [{ class: 'lan' }, 1200],
    [{ class: 'local' }, 1200],
    [{ class: 'sso' }, 1200],
    [{ class: 'session' }, 1200],
  ])('of %o are %i a minute', (more, most) => {
    const clock = standing()
    const wait = keylessPace(clock)
    times(most, () => expect(wait(caller(more), 'open')).toBe(0))
    expect(wait(caller(more), 'open')).toBe(MINUTE / most)
    expect([wait(caller({ ...more, holder: 'b' }), 'open'), wait(caller({ actor: 'x' }), 'open')]).toEqual([
      0, 0,
    ])
    clock.at = MINUTE / most
    expect([wait(caller(more), 'open'), wait(caller(more), 'open')]).toEqual([0, MINUTE / most])
    clock.at = HOUR
    expect(wait(caller(more), 'open')).toBe(0)
  })

  it('are not counted with the key, nor where a handler proves the caller', () => {
    const wait = keylessPace(standing())
    times(200, () => {
      expect(wait(caller({ class: 'key' }), 'open')).toBe(0)
      expect(wait(caller(), 'ddns')).toBe(0)
      expect(wait(caller(), 'token')).toBe(0)
    })
    expect(wait(caller(), 'open')).toBe(0)
  })

  it('of the client that called the longest ago are forgotten beyond ten thousand', () => {
    const wait = keylessPace(standing())
    const of = (holder: string) => wait(caller({ holder }), 'open')
    for (const holder of ['a', 'b']) times(119, () => of(holder))
    times(9998, (i) => of(`client ${i}`))
    expect([of('a'), of('a')]).toEqual([0, 500])
    of('one more')
    expect([of('b'), of('b')]).toEqual([0, 0])
  })
})

it('a proxy that does not prove itself is told once, and of twenty', () => {
  const { log, lines } = recorder()
  const tell = unprovenProxies(log)
  const of = (unproven_proxy: string | null) => tell({ ...UNKNOWN_CALLER, unproven_proxy })
  for (const proxy of [null, '10.0.0.1', '10.0.0.1']) of(proxy)
  expect(lines).toMatchObject([{ level: 'warn', facts: { proxy: '10.0.0.1' } }])
  times(30, (i) => of(`10.0.1.${i}`))
  expect(lines).toHaveLength(20)
})
