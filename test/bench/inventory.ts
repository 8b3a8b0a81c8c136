/** An estate of 10,000 guests: what colliding addresses cost to find, and what a free number and a free address cost. */
import type { PlacedGuest } from '../../src/features/discovery/guests.ts'
import { nextAddress, usedAddresses } from '../../src/features/inventory/addresses/next.ts'
import { claimsOf } from '../../src/features/inventory/estate/claims.ts'
import { conflictsOf } from '../../src/features/inventory/estate/conflicts.ts'
import { parseAddressScheme } from '../../src/features/inventory/numbers/address-scheme.ts'
import { nextVmids } from '../../src/features/inventory/numbers/next.ts'
import { parseScheme } from '../../src/features/inventory/numbers/scheme.ts'
import { SortedNumbers } from '../../src/features/inventory/sorted-numbers.ts'
import { addressText, parseCidr } from '../../src/model/network/cidr.ts'
import { median, ms, type Row, timed } from './measure.ts'

const GUESTS = 10_000
const USED = 60_000
const ROUNDS = 21
const MAX_CONFLICTS_MS = 25
const MAX_NEXT_MS = 5

export async function inventoryRows(): Promise<Row[]> {
  const guests = Array.from({ length: GUESTS }, (_, at) => guestAt(at))
  const claims = claimsOf({ guests, templates: [], controllers: [], hosts: [], domains: [], listed: [] })
  const numbers = guests.map(({ at: cluster, guest: { id, vmid, name, node } }) => {
    return { cluster, id, vmid, name, node, template: false, online: true }
  })
  const input = { claims, guests, numbers, lans: [], hosts: [], shared: [], numbering: null }
  const conflicts = await middle(() => conflictsOf(input))
  const numbering = {
    scheme: parseScheme('nppsssss')!,
    nodes: new Map([[1, 'pve1']]),
    purposes: new Map([[0, 'infra']]),
    address: parseAddressScheme('10.{node}.{purpose}.{sequence}/8')!,
  }
  const used_numbers = SortedNumbers.of(Array.from({ length: USED }, (_, at) => 10_000_001 + at))
  const asked = {
    used: used_numbers,
    reserved: [],
    isOffered: () => false,
    isAddressFree: () => true,
    count: 1,
  }
  const next_vmid = await middle(() => nextVmids(numbering, { node: 1, purpose: 0 }, asked))
  const used = usedAddresses(
    Array.from({ length: USED }, (_, at) => addressText(0x0a_01_00_01n + BigInt(at), 4)),
  )
  const network = parseCidr('10.1.0.0/16')!
  const next_address = await middle(() => nextAddress(network, { used, skipped: [], isOffered: () => false }))
  return [
    row(`conflicts of ${count(GUESTS)} guests with two addresses each`, conflicts, MAX_CONFLICTS_MS),
    row(`the next free VMID of a range with ${count(USED)} in use`, next_vmid, MAX_NEXT_MS),
    row(`the next free address of a /16 with ${count(USED)} in use`, next_address, MAX_NEXT_MS),
  ]
}

const count = (number: number): string => number.toLocaleString('en')

const row = (goal: string, took_ms: number, most_ms: number): Row => ({
  goal,
  figure: `${ms(took_ms)} ms`,
  limit: `at most ${most_ms} ms`,
  ok: took_ms <= most_ms,
})

async function middle(work: () => unknown): Promise<number> {
  await timed(work)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work))
  return median(times)
}

/** One in a hundred has the address of another. */
function guestAt(at: number): PlacedGuest {
  const twin = at % 100 === 0 ? at + 1 : at
  const addresses = [
    addressText(0x0a_00_00_01n + BigInt(twin), 4),
    addressText(0x0a_80_00_01n + BigInt(at), 4),
  ]
  const mac = `bc:24:11:${hex(at >> 16)}:${hex(at >> 8)}:${hex(at)}`
  const guest = { id: `qemu/${at}`, kind: 'qemu', vmid: 1000 + at, name: `guest${at}`, node: 'pve1' } as const
  return {
    at: 'lab',
    guest: { ...guest, state: 'running', tags: [], macs: [mac], addresses, fixed: addresses, detail: null },
  }
}

const hex = (number: number): string => (number & 255).toString(16).padStart(2, '0')
