/** By which digest the newest release names what it wants of a key. */
import { describe, expect, it } from 'vitest'
import { newestDigest, portionOf } from '../../../src/engine/editions/editions.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import type { ReleaseHead } from '../../../src/ports/records/trails.ts'
import { fakeTarget, fakeWorld } from '../fake-target.ts'

const target = (over: Partial<AnyTarget> = {}) => fakeTarget(fakeWorld(), over)

describe('the digest that a step must have been computed for', () => {
  const head = { digests: { fake: 'newest' } } as unknown as ReleaseHead
  it('is that of the newest release', () => {
    expect(newestDigest(head, target(), 'mine')).toBe('newest')
    expect(newestDigest(head, target({ artifact: 'other' }), 'mine')).toBeNull()
    expect(newestDigest(null, target(), 'mine')).toBeNull()
  })

  it('is any of what moves without a release', () => {
    expect(newestDigest(head, target({ constant: true }), 'mine')).toBe('mine')
  })

  it('names the key’s own part where it has one', () => {
    const released = { desired: 'all', digest: 'd' }
    expect(portionOf(target(), released)).toBe('d')
    expect(portionOf(target({ portion: (desired) => `part of ${String(desired)}` }), released)).toBe(
      'part of all',
    )
  })
})
