/** What is said beside an offer is of the reading that it was made of. */
import { expect, it } from 'vitest'
import type { Estate } from '../../../src/features/inventory/estate/estate.ts'
import { Inventory, type InventorySettings } from '../../../src/features/inventory/inventory.ts'
import { parseScheme } from '../../../src/features/inventory/numbers/scheme.ts'
import { Offers } from '../../../src/features/inventory/offers.ts'
import { SortedNumbers } from '../../../src/features/inventory/sorted-numbers.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const settings = {
  scheme: parseScheme('npss')!,
  nodes: [{ number: 1, name: 'pve1' }],
  purposes: [{ number: 4, name: 'web' }],
  vmid_reserved: [],
  ip_reserved: [],
  ip_shared: [],
  address: null,
} as unknown as InventorySettings

const reading = (known: boolean, checked_at: string) =>
  ({
    sources: [{ kind: 'proxmox', name: 'lab', configured: true, known, detail: null, unreadable: 0 }],
    nodes: [],
    vmids: SortedNumbers.of([]),
    claims: [],
    lans: [],
    checked_at,
  }) as unknown as Estate

it('a number that a reading with gaps gave is not called whole by the reading after it', async () => {
  const readings = [reading(false, '2026-01-01T00:00:00Z'), reading(true, '2026-01-01T00:01:00Z')]
  const inventory = new Inventory(settings, () => Promise.resolve(readings.shift()!), handClock())
  const wish = { holder: 'key', hold_s: 0, incomplete: true, node: 'pve1', purpose: 'web' }
  expect(await inventory.next(wish, 1)).toMatchObject({
    vmids: [{ vmid: 1401 }],
    complete: false,
    as_of: '2026-01-01T00:00:00Z',
  })
})

it('whoever holds without end loses the own offers, and nobody else’s', () => {
  const offers = new Offers<number>(handClock())
  offers.hold('key', 1401, 60_000)
  for (let n = 0; n < 5000; n++) offers.hold('lan', 2000 + n, 60_000)
  expect(offers.isKept(1401, 'lan')).toBe(true)
  expect(offers.isKept(6999, 'key')).toBe(true)
  expect(offers.isKept(2000, 'key')).toBe(false)
})
