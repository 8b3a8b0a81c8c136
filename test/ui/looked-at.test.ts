/** What the pages of the inventory and the VPN decide without a browser. */
import { expect, it } from 'vitest'
import {
  assetLamp,
  conflictLines,
  countWords,
  gapLines,
  usePercent,
} from '../../src/ui/model/looked-at/inventory.ts'
import { bytesText, renderBody } from '../../src/ui/model/looked-at/vpn.ts'

it('what runs and is not seen in whole is unknown, and what is stopped is not wrong', () => {
  expect(assetLamp({ state: 'running', detail: null })).toBe('ok')
  expect(assetLamp({ state: 'running', detail: 'The agent does not answer.' })).toBe('unknown')
  expect(assetLamp({ state: 'stopped', detail: null })).toBe('off')
  expect(assetLamp({ state: 'unknown', detail: null })).toBe('unknown')
  expect(countWords(null)).toBe('not known')
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
