/** What the pages of what is looked at decide without a browser: inventory, VPN, discovery, network, map. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Asset,
  assetLamp,
  collisionsOf,
  conflictLines,
  countWords,
  gapLines,
  isSeenWhole,
  usePercent,
  vmidFault,
} from '../../src/ui/model/looked-at/inventory.ts'
import { STRANGER_FIELDS, strangerLamp, strangerRows } from '../../src/ui/model/looked-at/strangers.ts'
import { filteredRows, parseListing } from '../../src/ui/model/table/listing.ts'
import { recordNameFault, recordRows, recordsHeadline } from '../../src/ui/model/kept/records.ts'
import { lastSeen } from '../../src/ui/model/table/last-seen.ts'
import { sizeText } from '../../src/ui/model/words.ts'
import { newDomainAddress } from '../../src/ui/model/looked-at/discover.ts'
import { withNothing } from '../../src/ui/model/looked-at/nothing.ts'
import { pageOf } from '../../src/ui/model/text/page-words.ts'
import { hostLamp, uplinkLamp } from '../../src/ui/model/looked-at/lan.ts'
import { deviceLamp, portText, sideText, syncQuery } from '../../src/ui/model/looked-at/lan-lists.ts'
import {
  deployedRows,
  layoutOf,
  mapAddress,
  nodeLabel,
  partOf,
  type MapNode,
  waysOf,
  waysThrough,
} from '../../src/ui/model/looked-at/map.ts'
import { whole } from '../../src/ui/model/looked-at/whole.ts'
import { bytesText, renderBody } from '../../src/ui/model/looked-at/vpn.ts'

it('what could not be seen again stays with its age, and what is seen to be gone goes', () => {
  interface Row {
    readonly id: string
    readonly zone: string
  }
  const row = (id: string, zone: string): Row => ({ id, zone })
  const facts = (unread: readonly string[], time: number) => ({
    idOf: ({ id }: Row) => id,
    mayMiss: ({ zone }: Row) => unread.includes(zone),
    at: time,
  })
  const first = lastSeen(new Map(), [row('a', 'x'), row('b', 'x'), row('c', 'y')], facts([], 10))
  expect(first.before.size).toBe(0)
  // One zone cannot be read: its rows stay; of the other one is gone.
  const then = lastSeen(first.seen, [], facts(['x'], 20))
  expect(then.rows.map(({ id }) => id)).toEqual(['a', 'b'])
  expect([...then.before]).toEqual([
    ['a', 10],
    ['b', 10],
  ])
  const later = lastSeen(then.seen, [row('a', 'x')], facts(['x'], 30))
  expect([later.rows.map(({ id }) => id), [...later.before]]).toEqual([['a', 'b'], [['b', 10]]])
  expect(lastSeen(later.seen, [row('a', 'x')], facts([], 40)).rows).toHaveLength(1)
  // What was not seen is not none.
  expect([sizeText(0, false), sizeText(0, true), sizeText(2, false)]).toEqual(['not known', '0', '2'])
  expect(recordsHeadline([], 1)).toBe('Records not found out')
  const record = (state: string) => ({ name: state, type: 'A', managed_type: 'A', state, cause: null })
  const found = { records: ['owned', 'lost', 'unaddressed', 'absent'].map(record), others: null }
  const rows = recordRows(found as never, undefined)
  // As the zone counts its own, and what stands nowhere differs from nothing.
  expect(rows.map(({ whose }) => whose).toSorted()).toEqual(['not_made', 'not_made', 'ours', 'ours'])
  expect(recordsHeadline(rows, 0)).toBe('2 records, 1 differs, 2 not made')
  const source = { configured: true, known: true, detail: null }
  expect(isSeenWhole([source, { configured: false, known: null, detail: null }])).toBe(true)
  expect(isSeenWhole([source, { ...source, known: false, detail: 'no answer' }])).toBe(false)
})

it('what is no number of a guest, or no name of a record, is said in one sentence', () => {
  for (const typed of ['', '100', '1405', '999999999']) expect(vmidFault(typed), typed).toBeNull()
  for (const typed of ['0', '99', '0100', '1000000000', '99999999999999999999'])
    expect(vmidFault(typed), typed).toContain('from 100 to')
  expect(vmidFault('12a')).toContain('digits')
  for (const name of [
    '',
    'app.home.example',
    '*.home.example',
    '_dmarc.home.example',
    'bücher.example',
    'a.example.',
  ])
    expect(recordNameFault(name), name).toBeNull()
  expect(recordNameFault('x')).toContain('its zone')
  expect(recordNameFault(`${'a'.repeat(9998)}.b`)).toContain('at most 253')
  for (const name of [
    'a..b',
    'a b.example',
    '.example',
    '-a.example',
    `${'a'.repeat(64)}.example`,
    '<b>.example',
  ])
    expect(recordNameFault(name), name).toContain('no name')
})

it('strangers are filtered as any long list is, and who cannot be decided on is unknown', () => {
  const one = {
    controller: 'home',
    site: 'default',
    mac: '02:00:5e:10:00:01',
    randomized: true,
    address: '192.0.2.9',
  }
  const client = {
    ...one,
    hostname: null,
    vendor: 'Espressif',
    network: 'IoT',
    vlan: 20,
    wired: false,
    guest: false,
  }
  const rows = strangerRows({
    rogue: [client],
    undecided: [
      { ...client, mac: '02:00:5e:10:00:02', hostname: 'phone', randomized: false, network: 'LAN' },
    ],
  } as never)
  expect(rows.map(({ name, decided }) => [name, strangerLamp({ decided })])).toEqual([
    ['Espressif', 'drift'],
    ['phone', 'unknown'],
  ])
  const fit = (text: string) =>
    filteredRows(rows, parseListing(text, STRANGER_FIELDS)).map(({ name }) => name)
  expect([fit('is:stranger'), fit('network:lan'), fit('02:00:5e'), fit('is:random vlan:20')]).toEqual([
    ['Espressif'],
    ['phone'],
    ['Espressif', 'phone'],
    ['Espressif'],
  ])
})

it('what runs and is not seen in whole is unknown, and what is stopped is not wrong', () => {
  expect(assetLamp({ state: 'running', detail: null })).toBe('ok')
  expect(assetLamp({ state: 'running', detail: 'The agent does not answer.' })).toBe('unknown')
  expect(assetLamp({ state: 'stopped', detail: null })).toBe('off')
  expect(assetLamp({ state: 'unknown', detail: null })).toBe('unknown')
  expect(countWords(null)).toBe('not known')
})

it('what collides is told of each that it is about, and is not green', () => {
  const guest = { cluster: 'lab', vmid: 1401, addresses: ['10.1.4.101'] } as unknown as Asset
  const holder = { source: 'proxmox', at: 'lab', vmid: null, mac: null, online: true } as const
  const collides = collisionsOf({
    ok: false,
    complete: true,
    checked_at: null,
    ip: [
      {
        address: '10.1.4.101',
        severity: 'error',
        holders: [
          { ...holder, name: 'a' },
          { ...holder, name: 'b' },
        ],
      },
    ],
    vmid: [],
    mac: [],
    network: [
      {
        reason: 'not_by_scheme',
        severity: 'warning',
        address: '10.1.4.9',
        expected: null,
        holder: { cluster: 'lab', id: 'qemu/1405', vmid: 1405, name: 'c', node: 'pve1' },
        why: 'Its number says otherwise.',
      },
    ],
  })
  expect(collides(guest).map(({ says }) => says)).toEqual(['a (proxmox lab) and b (proxmox lab)'])
  expect(assetLamp({ state: 'running', detail: null }, collides(guest))).toBe('bad')
  const other = { ...guest, vmid: 1405, addresses: [] }
  expect(assetLamp({ state: 'running', detail: null }, collides(other))).toBe('drift')
  expect(collides({ ...other, cluster: 'far' })).toEqual([])
  expect(collisionsOf(undefined)(guest)).toEqual([])
})

it('a network shows what is used of it, and never more than all', () => {
  expect(usePercent({ size: 254, used: 0 })).toBe(0)
  expect(usePercent({ size: 65_534, used: 3 })).toBe(1)
  expect(usePercent({ size: 254, used: 127 })).toBe(50)
  expect(usePercent({ size: 2, used: 9 })).toBe(100)
})

it('errors stand before warnings, and a source that is not whole is named', () => {
  const holder = { source: 'proxmox', at: 'lab', name: 'a', vmid: 1, mac: null, online: true } as const
  const ip = (address: string, severity: 'error' | 'warning') => ({ address, severity, holders: [holder] })
  const none = { ok: false, complete: true, checked_at: null, vmid: [], mac: [], network: [] }
  const lines = conflictLines({ ...none, ip: [ip('10.0.0.1', 'warning'), ip('10.0.0.2', 'error')] })
  expect(lines.map(({ lamp, title }) => `${lamp} ${title}`)).toEqual([
    'bad 10.0.0.2 has several holders:',
    'drift 10.0.0.1 has several holders:',
  ])
  const source = { kind: 'unifi', name: 'home', configured: true, known: false, detail: 'no answer' }
  expect(gapLines([source, { ...source, configured: false }])).toEqual(['unifi home: no answer'])
  expect(gapLines([{ ...source, detail: 'home: no answer' }])).toEqual(['unifi home: no answer'])
  expect(gapLines([{ ...source, known: true, detail: null }])).toEqual([])
})

it('a private key is sent only where one was typed, and bytes have units', () => {
  const peer = { site_id: 'uk', public_key: 'P' } as const
  const draft = { private_key: ' K ', preshared_key: '', allowed_ips: '10.0.0.0/8' }
  expect(renderBody(peer, { ...draft, private_key: ' ' })).toBeNull()
  expect(renderBody(peer, draft)).toEqual({
    site_id: 'uk',
    peer_pubkey: 'P',
    private_key: 'K',
    allowed_ips: '10.0.0.0/8',
  })
  expect([0, 999, 1234, 123_456_789].map(bytesText)).toEqual(['0 B', '999 B', '1.2 kB', '123 MB'])
})

it('what runs leads to New domain with its name and target, and nothing is made up where nothing is suggested', () => {
  const body = {
    domain: 'wiki.example',
    service_type: 'http',
    environment: 'production',
    backend_host: 'fd00::1',
    backend_port: 3000,
  } as const
  expect(newDomainAddress({ suggestion: { body, assumed: [] } })).toBe(
    '/domains/new?name=wiki.example&target=%5Bfd00%3A%3A1%5D%3A3000',
  )
  expect(newDomainAddress({ suggestion: null })).toBeNull()
})

it('an uplink with a word that is not known is unknown, and a device that is offline is missed', () => {
  expect(['ok', 'warning', 'error', 'of_later'].map(uplinkLamp)).toEqual(['ok', 'drift', 'bad', 'unknown'])
  expect(hostLamp({ kind: 'device', online: false })).toBe('bad')
  expect(hostLamp({ kind: 'client', online: false })).toBe('off')
})

it('the map draws at most 200 of a column', () => {
  const node = (id: string, kind: MapNode['kind']): MapNode => ({
    id,
    kind,
    label: id,
    stands_for: 1,
    domains: 1,
    domain_ids: null,
  })
  const many = Array.from({ length: 205 }, (_, index) => node(`d${index}`, 'domain'))
  const layout = layoutOf([node('e', 'entrypoint'), ...many])
  expect(layout.placed.size).toBe(201)
  expect(layout.left_out).toBe(5)
  expect(nodeLabel({ ...node('a', 'domain'), stands_for: 12 })).toBe('a (12)')
  expect(nodeLabel({ ...node('p', 'policy'), label: 'sign_in' })).toBe('signed in')
})

describe('the ways of a domain on the map', () => {
  const node = (id: string, kind: MapNode['kind'], domain_ids: readonly number[] | null): MapNode => ({
    id,
    kind,
    label: id,
    stands_for: 1,
    domains: domain_ids?.length ?? 300,
    domain_ids,
  })
  const edge = (from: string, to: string) => ({ from, to, domains: 1 })
  // a and b come by one policy and lead to a service each.
  const map = {
    nodes: [
      node('e', 'entrypoint', null),
      node('a', 'domain', [1]),
      node('b', 'domain', [2]),
      node('sign_in', 'policy', [1, 2]),
      node('10.0.0.1:80', 'service', [1]),
      node('10.0.0.2:80', 'service', [2]),
    ],
    edges: [
      edge('e', 'a'),
      edge('e', 'b'),
      edge('a', 'sign_in'),
      edge('b', 'sign_in'),
      edge('sign_in', '10.0.0.1:80'),
      edge('sign_in', '10.0.0.2:80'),
    ],
  }
  const ofA = {
    nodes: ['e', 'a', 'sign_in', '10.0.0.1:80'],
    edges: ['e a', 'a sign_in', 'sign_in 10.0.0.1:80'],
  }
  const plain = ({ nodes, edges }: ReturnType<typeof waysOf>) => ({ nodes: [...nodes], edges: [...edges] })

  it('end where it ends, though others come by the same policy', () => {
    const found = plain(waysThrough(map.nodes[1]!, map))
    expect({ ...found, nodes: found.nodes.toSorted() }).toEqual({ ...ofA, nodes: ofA.nodes.toSorted() })
    expect(plain(waysOf(new Set([2]), map)).edges).not.toContain('sign_in 10.0.0.1:80')
    expect(plain(waysOf(new Set(), map))).toEqual({ nodes: [], edges: [] })
  })

  it('of what more than 200 come by are all before and behind it', () => {
    expect(plain(waysThrough(map.nodes[0]!, map)).nodes.toSorted()).toEqual(
      map.nodes.map(({ id }) => id).toSorted(),
    )
  })

  it('are filtered by what is deployed of it', () => {
    const row = {
      id: 1,
      domain: 'saved.example.com',
      domain_unicode: 'saved.example.com',
      target: '192.0.2.9:1',
      kind: 'http',
      status: 'active',
      environment: 'production',
      tags: [],
      note: '',
      open: true,
      pending: true,
      updated_at: 0,
      lamps: [],
      certificate_days: null,
    }
    expect(deployedRows([row, { ...row, id: 9 }], map.nodes)).toEqual([
      { ...row, domain: 'a', domain_unicode: 'a', target: '10.0.0.1:80', open: false },
      { ...row, id: 9 },
    ])
    const read = { ...row, domain: 'a', domain_unicode: 'ä' }
    expect(deployedRows([read], map.nodes)[0]).toMatchObject({ domain: 'a', domain_unicode: 'ä' })
  })
})

it('what a firmware does not send is null at any depth, and is neither down, nor off, nor connected', () => {
  const row = whole<{ readonly up?: boolean; readonly of: readonly { readonly speed?: number }[] }>({
    of: [{}],
  })
  expect([row.up, row.of[0]!.speed]).toEqual([null, null])
  expect([null, 0, 1, 5].map((state) => deviceLamp({ state }))).toEqual(['unknown', 'bad', 'ok', 'drift'])
  expect(portText({ up: null, speed: 1000, poe_power: null })).toBe('not known')
  expect(portText({ up: true, speed: 2500, poe_power: 4.2 })).toBe('up, 2.5 Gbit/s, 4.2 W')
  expect(portText({ up: false, speed: 1000, poe_power: 0 })).toBe('down')
})

it('a side of a rule says all that it is bound to, and more than 50 names are written only with a word for it', () => {
  const side = {
    zone: null,
    target: null,
    addresses: [],
    network_ids: [],
    macs: [],
    group_ids: [],
    port: null,
  }
  expect(sideText(side)).toBe('any')
  expect(
    sideText({ ...side, zone: 'Internal', addresses: ['10.0.0.0/8'], group_ids: ['g'], port: '53' }),
  ).toBe('Internal 10.0.0.0/8 1 group port 53')
  const name = {
    controller: 'c',
    site: 's',
    user_id: 'u',
    mac: 'm',
    name_before: null,
    name: 'n',
    guest: 'g',
  }
  const of = (length: number) => ({ renamed: Array.from({ length }, () => name) })
  expect(syncQuery(of(50), { overwrite: false })).toBe('')
  expect(syncQuery(of(51), { overwrite: true })).toBe('overwrite=true&confirm=true')
})

it('of the map a zone and a machine have a part of their own, and a network has none', () => {
  const part = (kind: MapNode['kind'], label: string, stands_for: number) =>
    partOf({ id: `${kind}:${label}`, kind, label, stands_for, domains: 1, domain_ids: null })
  expect(part('domain', '*.home.example', 40)).toEqual({ zone: 'home.example', machine: null })
  expect(part('service', '10.0.0.1', 3)).toEqual({ zone: null, machine: '10.0.0.1' })
  expect(part('machine', '10.0.0.1', 1)).toEqual({ zone: null, machine: '10.0.0.1' })
  expect(part('machine', '10.0.0.0/24', 9)).toBeNull()
  expect(part('service', 'others', 9)).toBeNull()
  expect(mapAddress({ zone: null, machine: '10.0.0.1' })).toBe('/api/map?machine=10.0.0.1')
  expect(mapAddress({ zone: null, machine: null })).toBe('/api/map')
})

it('every page of the rail has an address and a key of its own', () => {
  const source = readFileSync(new URL('../../src/ui/frame/places.ts', import.meta.url), 'utf8')
  for (const pattern of [/\bto: '([^']+)'/g, /\bkey: '([a-z])'/g]) {
    const found = [...source.matchAll(pattern)].map(([, value]) => value)
    expect(found.length).toBe(17)
    expect(new Set(found).size).toBe(found.length)
  }
})

it('domains that lead to nothing are one line of what needs somebody, behind what is as severe', () => {
  const at = (domain: string, reason: string, status = 'active') => ({ domain, reason, status }) as never
  const need = (id: string, lamp: string) => ({ id, lamp }) as never
  const found = {
    points_at_nothing: [
      at('a.example', 'no_such_address'),
      at('b.example', 'offline'),
      at('c.example', 'port_not_published'),
      at('draft.example', 'no_such_address', 'inactive'),
    ],
  }
  const needs = withNothing([need('alert', 'bad'), need('routes', 'drift')], found)
  expect(needs.map(({ id }) => id)).toEqual(['alert', 'discover', 'routes'])
  expect(needs[1]).toMatchObject({
    lamp: 'bad',
    title: '2 domains lead to nothing',
    domains: ['a.example', 'c.example'],
  })
  expect(pageOf(needs[1]!.component)?.address).toBe('/discover')
  for (const none of [
    undefined,
    { points_at_nothing: null },
    { points_at_nothing: [at('b.example', 'offline')] },
  ])
    expect(withNothing([], none)).toEqual([])
})
