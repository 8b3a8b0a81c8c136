/** The tools with no opinion about domains. */
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffDelay } from '../../src/kernel/async/backoff.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { canonicalJson, digestOf, hasSameDigest, sha256 } from '../../src/kernel/digest.ts'
import { didYouMean, nameMeant } from '../../src/kernel/text/nearest.ts'
import { Secret } from '../../src/kernel/secret.ts'

describe('backoff', () => {
  const policy = { first_ms: 1000, max_ms: 300_000 }

  it.each([
    [1, 0, 500],
    [1, 0.999, 1000],
    [2, 0.5, 1500],
    [5, 0, 8000],
    [9, 0, 128_000],
    [10, 0, 150_000],
    [1000, 0.5, 225_000],
  ])('after %i failures with the random number %f waits %i ms', (failures, random, wait) => {
    expect(backoffDelay(policy, failures, random)).toBe(wait)
  })

  it('gives way to what the other side asked for, when that is longer', () => {
    expect(backoffDelay(policy, 1, 0, 90_000)).toBe(90_000)
    expect(backoffDelay(policy, 9, 0, 1000)).toBe(128_000)
  })
})

describe('digest', () => {
  it('is that of the chunks in a row', () => {
    expect(sha256(['ab', Buffer.from('c')])).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('of a value does not depend on the order of keys, at any depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}')
    expect(digestOf({ a: 1, b: { c: 2, d: 3 } })).toBe(digestOf({ b: { d: 3, c: 2 }, a: 1 }))
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]))
  })

  it('whether two values have one digest is answered as their digests would', () => {
    const json = fc.jsonValue({ maxDepth: 2 })
    const agrees = (a: unknown, b: unknown): void => {
      expect(hasSameDigest(a, b)).toBe(digestOf([a]) === digestOf([b]))
    }
    fc.assert(fc.property(json, json, agrees))
    fc.assert(fc.property(json, (value) => agrees(value, structuredClone(value))))
    agrees({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })
    agrees({ a: 1, b: undefined }, { a: 1 })
    agrees({ a: null }, {})
    agrees([], {})
    agrees([1], { 0: 1 })
  })
})

describe('a secret', () => {
  const secret = new Secret('canary-5f2c')

  it('is hidden wherever it lands', () => {
    const texts = [
      String(secret),
      `${secret.toString()}`,
      JSON.stringify({ secret }),
      inspect({ deep: [secret] }, { showHidden: true }),
    ]
    for (const text of texts) expect(text).not.toContain('canary')
  })

  it('equals itself and nothing else', () => {
    expect(secret.equals('canary-5f2c')).toBe(true)
    for (const other of ['', 'canary-5f2', 'canary-5f2c ', 'CANARY-5F2C'])
      expect(secret.equals(other)).toBe(false)
  })
})

describe('did you mean', () => {
  it.each([
    ['spaa', ' Did you mean "spa"?'],
    ['SPA', ' Did you mean "spa"?'],
    ['httpp', ' Did you mean "http"?'],
    ['htpt', ' Did you mean "http"?'],
    ['shop', ''],
    ['nothing-like-it', ''],
    ['x'.repeat(10_000), ''],
  ])('%.20s gives %j', (word, answer) => {
    expect(didYouMean(word, ['http', 'spa', 'websocket'])).toBe(answer)
    expect(nameMeant(`is unknown.${answer}`)).toBe(/"([a-z]+)"/.exec(answer)?.[1] ?? null)
  })

  it('is handed on as a value, the nearest first, and nothing else is taken for one', () => {
    expect(nameMeant(`must be known.${didYouMean('compres', ['compress', 'compass'])}`)).toBe('compress')
    expect(nameMeant('Did you mean it?')).toBeNull()
    expect(nameMeant(' Did you mean "x"? No.')).toBeNull()
  })
})

describe('sleep', () => {
  it('ends with the reason of its signal', async () => {
    const reason = new Error('enough')
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const sleeping = systemClock.sleep(60_000, controller.signal)
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
    await systemClock.sleep(0)
  })
})
