/** The token bucket: never more than half of the published limit in any window, and never a request forgotten. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bucketSize,
  fullBucket,
  respectingRetryAfter,
  take,
  withBudget,
} from '../../../src/features/dns/providers/limits.ts'
import type { HttpClient, HttpReply, HttpRequest } from '../../../src/ports/http-client.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const limits = fc.record({
  requests: fc.integer({ min: 4, max: 5000 }),
  within_ms: fc.integer({ min: 1000, max: 3_600_000 }),
})

describe('the bucket', () => {
  it('lets no more than half of the limit through in any window of its length', () => {
    fc.assert(
      fc.property(limits, fc.array(fc.nat(100_000), { maxLength: 200 }), (limit, gaps) => {
        let bucket = fullBucket(limit, 0)
        let at = 0
        const sent: number[] = []
        for (const gap of gaps) {
          at += gap % 7 === 0 ? gap : 0
          const taken = take(bucket, limit, at)
          bucket = taken.bucket
          sent.push(at + taken.wait_ms)
        }
        for (const start of sent)
          expect(
            sent.filter((time) => time >= start && time < start + limit.within_ms).length,
          ).toBeLessThanOrEqual(limit.requests / 2 + 1)
      }),
    )
  })

  it('makes requests wait in the order in which they came', () => {
    const limit = { requests: 8, within_ms: 8000 }
    let bucket = fullBucket(limit, 0)
    const waits = Array.from({ length: 5 }, () => {
      const taken = take(bucket, limit, 0)
      bucket = taken.bucket
      return taken.wait_ms
    })
    expect(waits).toEqual([0, 0, 4000, 8000, 12_000])
  })

  it('is not emptied by a clock that stands still or steps back', () => {
    const limit = { requests: 8, within_ms: 8000 }
    const after = take({ tokens: 2, at: 5000 }, limit, 1000)
    expect(after.wait_ms).toBe(0)
    expect(bucketSize({ requests: 1, within_ms: 1000 })).toBe(1)
  })
})

/** A client that answers what it is told and counts. */
function scripted(replies: Partial<HttpReply>[] = []): { client: HttpClient; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    client: {
      close: async () => undefined,
      request: async ({ url }) => {
        asked.push(url)
        return { status: 200, headers: {}, text: '', retry_after_ms: null, ...replies.shift() }
      },
    },
  }
}

const to = (url: string, signal = new AbortController().signal): HttpRequest => ({
  method: 'GET',
  url,
  signal,
})

describe('a client with a budget', () => {
  const options = { limits: [{ requests: 8, within_ms: 8000 }], max_wait_ms: 5000 }

  it('waits a little, and fails at once where it would wait long, saying for how long', async () => {
    const clock = handClock()
    const { client, asked } = scripted()
    const budgeted = withBudget(client, { ...options, clock })
    await budgeted.request(to('https://a.example/1'))
    await budgeted.request(to('https://a.example/2'))
    const third = budgeted.request(to('https://a.example/3'))
    await expect(budgeted.request(to('https://a.example/4'))).rejects.toMatchObject({
      code: 'provider_busy',
      details: { retry_after_ms: 8000 },
    })
    expect(asked).toHaveLength(2)
    clock.pass(4000)
    await third
    expect(asked).toHaveLength(3)
    await budgeted.request(to('https://b.example/1'))
    expect(asked).toHaveLength(4)
  })

  it('stops waiting with the signal and sends nothing', async () => {
    const clock = handClock()
    const { client, asked } = scripted()
    const budgeted = withBudget(client, { ...options, clock })
    const end = new AbortController()
    await budgeted.request(to('https://a.example/1'))
    await budgeted.request(to('https://a.example/2'))
    const third = budgeted.request(to('https://a.example/3', end.signal))
    end.abort(new Error('over'))
    await expect(third).rejects.toThrow('over')
    expect([asked.length, clock.sleepers()]).toEqual([2, 0])
  })
})

describe('a client that heeds Retry-After', () => {
  it('passes the answer on and asks that origin nothing more until then', async () => {
    const clock = handClock()
    const { client, asked } = scripted([{ status: 429, retry_after_ms: 60_000 }])
    const heeding = respectingRetryAfter(client, { clock })
    expect((await heeding.request(to('https://a.example/1'))).status).toBe(429)
    clock.pass(59_000)
    await expect(heeding.request(to('https://a.example/2'))).rejects.toMatchObject({
      code: 'provider_busy',
      details: { retry_after_ms: 1000 },
    })
    await heeding.request(to('https://b.example/1'))
    clock.pass(1000)
    await heeding.request(to('https://a.example/3'))
    expect(asked).toEqual(['https://a.example/1', 'https://b.example/1', 'https://a.example/3'])
  })

  it.each([
    [{ status: 429, retry_after_ms: null }],
    [{ status: 301, retry_after_ms: 60_000 }],
    [{ status: 200, retry_after_ms: 60_000 }],
  ])('goes on after %o', async (reply) => {
    const { client, asked } = scripted([reply])
    const heeding = respectingRetryAfter(client, { clock: handClock() })
    await heeding.request(to('https://a.example/1'))
    await heeding.request(to('https://a.example/2'))
    expect(asked).toHaveLength(2)
  })
})
