/** Strangers in the network are looked for once for all who ask about the same looks. */
import { expect, it } from 'vitest'
import { rogueChecks } from '../../../src/features/network/rogue.ts'
import type { ControllerState, LabLook, LanHost } from '../../../src/features/discovery/model/lab-port.ts'
import { RawRows } from '../../../src/features/discovery/model/raw-rows.ts'
import type { DiscoveryService } from '../../../src/features/discovery/service.ts'
import type { RogueCheck } from '../../../src/features/network/views.ts'

const clients = (count: number): readonly LanHost[] =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'client',
    mac: `02:00:00:00:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`,
    name: `client${at}`,
    hostname: null,
    address: null,
    fixed_address: null,
    alias: null,
    user_id: null,
    online: true,
    wired: null,
    guest: at % 2 === 0,
    network: null,
    vlan: null,
    vendor: null,
    last_seen: null,
  }))

function look(count: number): LabLook<ControllerState> {
  const none = { known: true, rows: new RawRows([]) } as const
  const raw = {
    devices: none,
    online: none,
    known: none,
    networks: none,
    inbound: { forwards: null, policies: null, zones: none.rows, rules: null },
  }
  const site = { site: 'default', label: 'Default', hosts: clients(count), unreadable: 0, missing: [], raw }
  // What the check does not read is left out.
  return {
    known: true,
    at: 0,
    state: { version: '10', sites: [site] },
  } as unknown as LabLook<ControllerState>
}

it('many who ask about one look share one answer, and another look has another', async () => {
  let now = look(1200)
  const controllers = [{ name: 'home', get: () => Promise.resolve(now) }]
  const check = rogueChecks({ controllers, clusters: [] } as unknown as DiscoveryService, [
    '02:00:00:00:00:03',
  ])
  const all = await Promise.all(Array.from({ length: 60 }, () => check(true)))
  expect(new Set(all).size).toBe(1)
  const [first] = all as [RogueCheck]
  expect([first.ok, first.known, first.rogue.length]).toEqual([false, 1, 1199])
  const without_guests = await check(false)
  expect([without_guests.known, without_guests.rogue.length]).toEqual([1, 599])
  expect(await check(true)).toBe(first)
  now = look(3)
  expect((await check(true)).rogue).toHaveLength(3)
})
