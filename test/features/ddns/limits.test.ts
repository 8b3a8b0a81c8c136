/** How often something may be done within a span, and under which name clients are counted. */
import { describe, expect, test } from 'vitest'
import { clientNetwork } from '../../../src/model/network/client-network.ts'
import { RateLimit } from '../../../src/kernel/async/rate-limit.ts'

describe('a limit of three in a minute', () => {
  const three = () => new RateLimit({ most: 3, span_ms: 60_000 })
  const counted = (limit: RateLimit, name: string, times: readonly number[]) => {
    for (const time of times) limit.count(name, time)
    return limit
  }

  test('lets three through and tells the fourth how long it has to wait', () => {
    const limit = counted(three(), 'a', [0, 1000, 2000])
    expect(limit.wait('a', 2000)).toBe(58_000)
    expect(limit.wait('a', 59_999)).toBe(1)
  })

  test('opens again for each as its own minute is over', () => {
    const limit = counted(three(), 'a', [0, 1000, 2000])
    expect(limit.wait('a', 60_000)).toBe(0)
    expect(counted(limit, 'a', [60_000]).wait('a', 60_000)).toBe(1000)
  })

  test('whoever goes on regardless goes on waiting', () => {
    const limit = counted(three(), 'a', [0, 1, 2, 30_000, 40_000, 50_000])
    expect(limit.wait('a', 60_010)).toBe(29_990)
  })

  test('counts each name for itself, and asking counts nothing', () => {
    const limit = counted(three(), 'a', [0, 0, 0])
    for (let i = 0; i < 10; i++) expect(limit.wait('b', 0)).toBe(0)
  })

  test('a flood of names is forgotten from its oldest end', () => {
    const limit = new RateLimit({ most: 1, span_ms: 60_000, max_names: 100 })
    for (let i = 0; i < 1000; i++) limit.count(`n${i}`, 0)
    expect([limit.wait('n0', 0), limit.wait('n899', 0), limit.wait('n900', 0)]).toEqual([0, 0, 60_000])
  })
})

test.each([
  ['84.1.2.3', '84.1.2.3'],
  ['2a02:1:2:3:4:5:6:7', '2a02:1:2:3'],
  ['2a02:1:2:3::7', '2a02:1:2:3'],
  ['2a02:1:2::7', '2a02:1:2:0'],
  ['2a02::', '2a02:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s is counted as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})
