/** VMIDs: whatever the scheme, a number says what it was made of, and none that is in use or reserved is offered. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddressScheme } from '../../../src/features/inventory/numbers/address-scheme.ts'
import { decoded, type Numbering, validated } from '../../../src/features/inventory/numbers/evaluate.ts'
import { numberedNodes, numberOf } from '../../../src/features/inventory/numbers/names.ts'
import { nextVmids } from '../../../src/features/inventory/numbers/next.ts'
import { SortedNumbers } from '../../../src/features/inventory/sorted-numbers.ts'
import {
  decode,
  encode,
  MAX_VMID,
  MIN_VMID,
  most,
  parseScheme,
} from '../../../src/features/inventory/numbers/scheme.ts'
import { runs, SEED } from '../../kit/tier.ts'

const letters = fc
  .record({
    order: fc.shuffledSubarray(['n', 'p', 's'], { minLength: 3 }),
    lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ order, lengths }) => order.map((letter, at) => letter.repeat(lengths[at]!)).join(''))
  .filter((text) => text.length <= 9)

const parameters = { numRuns: runs(10_000), seed: SEED }

const numberingOf = (over: Partial<Numbering> = {}): Numbering => ({
  scheme: parseScheme('npss')!,
  nodes: new Map([
    [1, 'pve1'],
    [2, 'pve2'],
  ]),
  purposes: new Map([
    [0, 'infra'],
    [4, 'web'],
  ]),
  address: parseAddressScheme('10.{node}.{purpose}.{sequence+100}/24')!,
  ...over,
})

describe('a scheme', () => {
  it.each(['npss', 'nps', 'ssnnpp', 'pppsssnnn'])('is %s', (text) => {
    expect(parseScheme(text)?.letters).toBe(text)
  })

  it.each(['', 'np', 'nss', 'npsn', 'nspss', 'npsx', 'NPSS', 'nnnnpppsss'])('is not %s', (text) => {
    expect(parseScheme(text)).toBeNull()
  })

  it('says of every number what it was made of', () => {
    const parts = fc.record({ node: fc.nat(9999), purpose: fc.nat(9999), sequence: fc.nat(9999) })
    fc.assert(
      fc.property(letters, parts, (text, made_of) => {
        const scheme = parseScheme(text)!
        const vmid = encode(scheme, made_of)
        const fits = (['node', 'purpose', 'sequence'] as const).every(
          (key) => made_of[key] <= most(scheme[key]),
        )
        if (!fits) return vmid === null
        return vmid === null
          ? true
          : vmid >= MIN_VMID && vmid <= MAX_VMID && same(decode(scheme, vmid), made_of)
      }),
      parameters,
    )
  })

  it('makes every number of what it says', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: MIN_VMID, max: MAX_VMID }), (text, vmid) => {
        const scheme = parseScheme(text)!
        const parts = decode(scheme, vmid)
        return parts === null ? String(vmid).length > text.length : encode(scheme, parts) === vmid
      }),
      parameters,
    )
  })
})

const same = (a: object | null, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

describe('the next number', () => {
  const estates = fc.record({
    scheme: letters,
    node: fc.integer({ min: 0, max: 9 }),
    purpose: fc.integer({ min: 0, max: 9 }),
    used: fc.array(fc.integer({ min: MIN_VMID, max: 99_999 }), { maxLength: 60 }),
    dense: fc.integer({ min: 0, max: 30 }),
    reserved: fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.nat(2000)), { maxLength: 3 }),
  })

  it('is in use nowhere, not reserved, and says what was asked', () => {
    fc.assert(
      fc.property(estates, (estate) => {
        const scheme = parseScheme(estate.scheme)!
        const numbering = numberingOf({ scheme, nodes: TEN, purposes: TEN })
        const { node, purpose } = estate
        // The first numbers of a range are those that are in use.
        const dense = Array.from({ length: estate.dense }, (_, at) =>
          encode(scheme, { node, purpose, sequence: at + 1 }),
        )
        const used = [...estate.used, ...dense.flatMap((vmid) => vmid ?? [])]
        const reserved = estate.reserved.map(([first, length]) => ({ first, last: first + length }))
        const found = nextVmids(
          numbering,
          { node, purpose },
          {
            used: SortedNumbers.of(used),
            reserved,
            isOffered: () => false,
            isAddressFree: () => true,
            count: 3,
          },
        )
        const isTaken = (vmid: number) =>
          used.includes(vmid) || reserved.some(({ first, last }) => vmid >= first && vmid <= last)
        const lowest = lowestFree(numbering, { node, purpose }, isTaken)
        return (
          found[0]?.vmid === lowest &&
          found.every(({ vmid, sequence, range }) => {
            const said = decoded(numbering, vmid)
            const right =
              said.node_number === node && said.purpose_number === purpose && said.sequence === sequence
            return (
              right && !isTaken(vmid) && sequence > 0 && range.free + range.used === lengthOf(range, scheme)
            )
          })
        )
      }),
      parameters,
    )
  })

  it('passes over what somebody else was offered, which is neither used nor free', () => {
    const asked = { used: SortedNumbers.of([1401]), reserved: [], count: 1 }
    const [first] = nextVmids(numberingOf(), WEB, {
      ...asked,
      isOffered: () => false,
      isAddressFree: () => true,
    })
    const [second] = nextVmids(numberingOf(), WEB, {
      ...asked,
      isOffered: (vmid) => vmid === 1402,
      isAddressFree: () => true,
    })
    expect([first?.vmid, second?.vmid]).toEqual([1402, 1403])
    expect(second?.range).toEqual({ first: 1401, last: 1499, used: 1, free: 98 })
  })

  it('is none where the range is full', () => {
    const used = SortedNumbers.of(Array.from({ length: 99 }, (_, at) => 1401 + at))
    const asked = { used, reserved: [], isOffered: () => false, isAddressFree: () => true, count: 1 }
    expect(nextVmids(numberingOf(), WEB, asked)).toEqual([])
  })

  it('is none where no number of the range is one that Proxmox VE takes', () => {
    const scheme = parseScheme('nps')!
    const place = { node: 0, purpose: 4 }
    const asked = {
      used: SortedNumbers.of([]),
      reserved: [],
      isOffered: () => false,
      isAddressFree: () => true,
      count: 1,
    }
    expect(nextVmids(numberingOf({ scheme }), place, asked)).toEqual([])
  })
})

const WEB = { node: 1, purpose: 4 }
const TEN = new Map(Array.from({ length: 10 }, (_, at) => [at, `name${at}`]))

/** One after another, as nobody would do it who has millions of them. */
function lowestFree(
  { scheme }: Numbering,
  place: { readonly node: number; readonly purpose: number },
  isTaken: (vmid: number) => boolean,
): number | undefined {
  for (let sequence = 1; sequence <= most(scheme.sequence); sequence++) {
    const vmid = encode(scheme, { ...place, sequence })
    if (vmid !== null && !isTaken(vmid)) return vmid
  }
  return undefined
}

const lengthOf = (
  { first, last }: { readonly first: number; readonly last: number },
  scheme: { readonly sequence: { readonly unit: number } },
) => (last - first) / scheme.sequence.unit + 1

describe('a number', () => {
  it.each<[number, string[]]>([
    [1401, []],
    [-1, ['out_of_range']],
    [0, ['out_of_range']],
    [99, ['out_of_range']],
    [1_000_000_000, ['out_of_range']],
    [12_345, ['too_many_digits']],
    [3401, ['unknown_node']],
    [1501, ['unknown_purpose']],
    [1400, ['no_sequence']],
    [3500, ['unknown_node', 'unknown_purpose', 'no_sequence']],
  ])('%d: %j', (vmid, codes) => {
    const { valid, problems } = validated(numberingOf(), vmid)
    expect(problems.map(({ code }) => code)).toEqual(codes)
    expect(valid).toBe(codes.length === 0)
  })

  it('without an address of a host says so', () => {
    const address = parseAddressScheme('10.1.{sequence+200}.0/24')!
    expect(validated(numberingOf({ address }), 1401).problems.map(({ code }) => code)).toEqual(['no_address'])
  })

  it('is neither right nor wrong while the nodes are not known', () => {
    const numbering = numberingOf({ nodes: null })
    expect(validated(numbering, 1401).valid).toBeNull()
    expect(decoded(numbering, 1401)).toMatchObject({
      in_scheme: null,
      node: null,
      node_number: 1,
      purpose: 'web',
    })
    expect(validated(numbering, 1501).valid).toBe(false)
  })

  it('outside of the scheme says nothing more', () => {
    expect(decoded(numberingOf(), 101)).toEqual({
      vmid: 101,
      in_scheme: false,
      node: null,
      node_number: null,
      purpose: null,
      purpose_number: null,
      sequence: null,
      address: null,
    })
  })
})

describe('names', () => {
  it('count from 1 in their order, as far as the block reaches', () => {
    expect([...numberedNodes(['b', 'a', 'c', 'a'], 2)]).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
  })

  it('are found by name, whatever its case, and by number', () => {
    const asked = { field: 'node', setting: 'PLUMBLINE_VMID_NODES' }
    const { nodes } = numberingOf()
    expect(numberOf(nodes!, { ...asked, text: 'PVE2' })).toBe(2)
    expect(numberOf(nodes!, { ...asked, text: '1' })).toBe(1)
    expect(() => numberOf(nodes!, { ...asked, text: 'pve3' })).toThrow(/Did you mean "pve1" or "pve2"\?/)
    expect(() => numberOf(nodes!, { ...asked, text: '9' })).toThrow(
      /PLUMBLINE_VMID_NODES names them: pve1 \(1\), pve2 \(2\)/,
    )
  })
})
