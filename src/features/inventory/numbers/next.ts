/**
 * The next free numbers of a node and a purpose. Pure: nothing is reserved by asking. What a range costs is what is taken of
 * it, not how long it is: a scheme may have millions of sequences.
 */
import { countFree, merged, nextFree, type Range } from '../ranges.ts'
import type { SortedNumbers } from '../sorted-numbers.ts'
import { addressFor, type PlannedAddress } from './address-scheme.ts'
import type { Numbering } from './evaluate.ts'
import { encode, MIN_VMID, most, type Parts, type Scheme } from './scheme.ts'

export interface NextVmid {
  readonly vmid: number
  readonly node: string | null
  readonly purpose: string | null
  readonly sequence: number
  readonly address: string | null
  readonly range: {
    readonly first: number
    readonly last: number
    /** Those that are reserved, too. */
    readonly used: number
    readonly free: number
  }
}

interface NumberQuery {
  /** In use. */
  readonly used: SortedNumbers
  readonly reserved: readonly Range[]
  /** Offered to somebody else a moment ago: neither used nor offered. */
  readonly isOffered: (vmid: number) => boolean
  readonly isAddressFree: (planned: PlannedAddress) => boolean
  readonly count: number
}

type NodeAndPurpose = Pick<Parts, 'node' | 'purpose'>

/** Up to `count`, the lowest first; empty where the range is full, or no number of it is one that Proxmox VE takes. */
export function nextVmids(
  numbering: Numbering,
  place: NodeAndPurpose,
  asked: NumberQuery,
): readonly NextVmid[] {
  const { scheme, nodes, purposes } = numbering
  const limits = sequencesOf(scheme, place)
  if (limits === null) return []
  const skipped = merged(asked.reserved.flatMap((range) => within(scheme, place, { range, limits }) ?? []))
  const space = { limits, skipped, used: asked.used.every(scheme.sequence.unit, baseOf(scheme, place)) }
  const numberAt = (sequence: number) => encode(scheme, { ...place, sequence })!
  const free = countFree(space)
  const total = limits.last - limits.first + 1
  const range = { first: numberAt(limits.first), last: numberAt(limits.last), used: total - free, free }
  const found: NextVmid[] = []
  let sequence = nextFree(space, limits.first)
  while (sequence !== null && found.length < asked.count) {
    const vmid = numberAt(sequence)
    if (!asked.isOffered(vmid)) {
      const planned = addressFor(numbering, vmid, { ...place, sequence })
      const address = planned !== null && asked.isAddressFree(planned) ? planned.address : null
      const named = { node: nodes?.get(place.node) ?? null, purpose: purposes.get(place.purpose) ?? null }
      found.push({ vmid, ...named, sequence, address, range })
    }
    sequence = nextFree(space, sequence + 1)
  }
  return found
}

/** Sequences count from 1, and begin where Proxmox VE takes the number. Null where none is left. */
function sequencesOf(scheme: Scheme, place: NodeAndPurpose): Range | null {
  const first = Math.max(1, Math.ceil((MIN_VMID - baseOf(scheme, place)) / scheme.sequence.unit))
  const last = most(scheme.sequence)
  return first > last ? null : { first, last }
}

const baseOf = ({ node, purpose }: Scheme, place: NodeAndPurpose): number =>
  place.node * node.unit + place.purpose * purpose.unit

/** Which sequences a range of numbers covers; null for none. */
function within(
  scheme: Scheme,
  place: NodeAndPurpose,
  { range, limits }: { readonly range: Range; readonly limits: Range },
): Range | null {
  const base = baseOf(scheme, place)
  const { unit } = scheme.sequence
  const first = Math.max(limits.first, Math.ceil((range.first - base) / unit))
  const last = Math.min(limits.last, Math.floor((range.last - base) / unit))
  return first > last ? null : { first, last }
}
