/** The next free address of a network, counted out by hand beside it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateAddress } from '../../../src/features/inventory/addresses/evaluate.ts'
import type { Claim } from '../../../src/features/inventory/estate/claims.ts'
import type { Estate } from '../../../src/features/inventory/estate/estate.ts'
import { askedNetwork } from '../../../src/features/inventory/addresses/networks.ts'
import { nextAddress, usedAddresses } from '../../../src/features/inventory/addresses/next.ts'
import { addressNumber, addressText, hostRange, parseCidr } from '../../../src/model/network/cidr.ts'
import { runs, SEED } from '../../kit/tier.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const none = () => false
const rangeOf = (from: string, to = from) => ({
  text: `${from}-${to}`,
  family: from.includes(':') ? (6 as const) : (4 as const),
  first: addressNumber(from),
  last: addressNumber(to),
})
const next = (
  cidr: string,
  used: readonly string[] = [],
  skipped: readonly ReturnType<typeof rangeOf>[] = [],
) => nextAddress(parseCidr(cidr)!, { used: usedAddresses(used), skipped, isOffered: none })

describe('the next address', () => {
  it.each<[string, readonly string[], string | null, number | null]>([
    ['192.168.1.0/24', [], '192.168.1.1', 254],
    ['192.168.1.0/24', ['192.168.1.1', '192.168.1.2', '10.0.0.1'], '192.168.1.3', 252],
    ['192.168.1.0/31', [], '192.168.1.0', 2],
    ['192.168.1.0/31', ['192.168.1.0'], '192.168.1.1', 1],
    ['192.168.1.7/32', [], '192.168.1.7', 1],
    ['192.168.1.7/32', ['192.168.1.7'], null, 0],
    ['fd00:1::/64', [], 'fd00:1::100', null],
    ['fd00:1::/64', ['fd00:1::100', 'fd00:1::dead:beef:1'], 'fd00:1::101', null],
    ['fd00:1::/127', [], 'fd00:1::', null],
  ])('of %s without %j is %s', (cidr, used, address, free) => {
    expect(next(cidr, used)).toEqual({ address, free })
  })

  it('passes over leases and reservations, which are not free', () => {
    const pool = rangeOf('192.168.1.1', '192.168.1.99')
    expect(
      next('192.168.1.0/24', ['192.168.1.50', '192.168.1.100'], [pool, rangeOf('192.168.1.101')]),
    ).toEqual({
      address: '192.168.1.102',
      free: 254 - 99 - 2,
    })
  })

  it.each<[string, readonly string[], string | null]>([
    ['fd00:1::/64', ['fd00:1::/64'], null],
    ['fd00:1::/64', ['fd00:1::/65'], 'fd00:1:0:0:8000::'],
    ['fd00:1::/64', ['fd00:1::/72'], 'fd00:1:0:0:100::'],
    ['fd00:1::/48', ['fd00:1::/64', 'fd00:1:0:1::/64'], 'fd00:1:0:2::'],
    ['fd00:1::/64', ['fd00:1:0:0:8000::/65'], 'fd00:1::100'],
  ])('of %s with %j kept is %s', (cidr, kept, address) => {
    const ranges = kept.map((one) => ({ ...parseCidr(one)!, text: one }))
    expect(next(cidr, [], ranges).address).toBe(address)
  })

  itInDepth('is never used, leased, reserved or none of a host, and is the first that is not', () => {
    const estates = fc.record({
      length: fc.integer({ min: 22, max: 32 }),
      base: fc.nat(0xff_ff_ff),
      used: fc.array(fc.nat(1023), { maxLength: 300 }),
      dense: fc.nat(300),
      pools: fc.array(fc.tuple(fc.nat(1023), fc.nat(200)), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(estates, ({ length, base, used, dense, pools }) => {
        const network = parseCidr(`${addressText(BigInt(base) << 8n, 4)}/${length}`)!
        const at = (offset: number) => addressText((network.first + BigInt(offset)) & 0xff_ff_ff_ffn, 4)
        const all = [...used, ...Array.from({ length: dense }, (_, offset) => offset)].map(at)
        const skipped = pools.map(([first, span]) => ({
          text: '',
          family: 4 as const,
          first: network.first + BigInt(first),
          last: network.first + BigInt(first + span),
        }))
        const isTaken = (number: bigint) =>
          all.includes(addressText(number, 4)) ||
          skipped.some((pool) => number >= pool.first && number <= pool.last)
        const { first, last } = hostRange(network)
        const free: bigint[] = []
        for (let number = first; number <= last; number++) if (!isTaken(number)) free.push(number)
        const found = nextAddress(network, { used: usedAddresses(all), skipped, isOffered: none })
        const expected = free[0] === undefined ? null : addressText(free[0], 4)
        return found.address === expected && found.free === free.length
      }),
      { numRuns: runs(2000), seed: SEED },
    )
  })
})

describe('a network that is asked for', () => {
  it.each<[string, RegExp]>([
    ['', /is no network/],
    ['192.168.1.0', /is no network/],
    ['192.168.1.0/33', /is no network/],
    ['192.168.1.7/24', /has host bits; the network is 192\.168\.1\.0\/24/],
    ['0.0.0.0/0', /too large to look through/],
    ['::/0', /too large to look through/],
    ['fd00::1/64', /has host bits; the network is fd00::\/64/],
  ])('%s: %s', (text, why) => {
    expect(() => askedNetwork(text)).toThrow(why)
  })

  it.each(['10.0.0.0/8', '192.168.1.0/31', '192.168.1.7/32', 'fd00:1::/64', 'FD00:1::/64'])('%s', (text) => {
    expect(askedNetwork(text).cidr).toBe(text.toLowerCase())
  })
})

describe('addresses as numbers', () => {
  it('are the same address again', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
        const text = addressText(addressNumber(four), 4)
        const canonical = parseCidr(`${six}/128`)?.address
        // An address that holds one of IPv4 is that one.
        if (canonical === undefined || canonical.includes('.')) return text === four
        return text === four && addressText(addressNumber(canonical), 6) === canonical
      }),
      { numRuns: runs(10_000), seed: SEED },
    )
  })
})

describe('an address that somebody wants to give to 1401', () => {
  const claim = (over: Partial<Claim>): Claim => ({
    address: '10.1.4.101',
    source: 'proxmox',
    at: 'lab',
    name: 'web',
    vmid: 1401,
    mac: null,
    online: true,
    fixed: true,
    owner: 'guest lab qemu/1401',
    ...over,
  })
  const evaluated = (claims: readonly Claim[], over: Partial<Parameters<typeof evaluateAddress>[2]> = {}) =>
    evaluateAddress({ claims, lans: [] } as unknown as Estate, '10.1.4.101', {
      vmid: 1401,
      expected: '10.1.4.101',
      reserved: [],
      is_whole: true,
      ...over,
    })

  it.each<[string, readonly Claim[], readonly string[]]>([
    ['nobody has', [], []],
    ['the guest itself has', [claim({})], []],
    ['another guest has', [claim({ vmid: 1402, name: 'db' })], ['in_use']],
    ['a domain leads to', [claim({ source: 'domain', vmid: null, owner: null })], []],
  ])('%s', (_, claims, codes) => {
    const { valid, problems } = evaluated(claims)
    expect([valid, problems.map(({ code }) => code)]).toEqual([codes.length === 0, codes])
  })

  it('is not called right while not all that there is can be seen', () => {
    expect(evaluated([], { is_whole: false }).valid).toBeNull()
    expect(evaluated([], { is_whole: false, expected: '10.1.4.102' }).valid).toBe(false)
    expect(evaluated([], { reserved: [rangeOf('10.1.4.101')] }).problems).toMatchObject([
      { code: 'reserved' },
    ])
  })
})
