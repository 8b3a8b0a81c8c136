/** How fast a peer sends is told between two reads of its gateway, and not where its counter began anew. */
import { expect, it } from 'vitest'
import { shownClients } from '../../../src/features/vpn/shown.ts'
import { Site } from '../../../src/features/vpn/site.ts'
import type { SiteSettings } from '../../../src/features/vpn/settings.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { handClock } from '../../fakes/hand-clock.ts'

const SERVER = 'cCjoVSV4w9ISl2mErjPGN5FpgPbhSJ5iHkEOWwL6bhI='
const PEER = 'QLJUVSV4w9ISl2mErjPGN5FpgPbhSJ5iHkEOWwL6bhI='

it('is null at first, bytes a second then, and null again for a counter that went back', async () => {
  const clock = handClock()
  const store = {
    of: () => ({ vpnGateway: () => Promise.resolve(null) }),
    write: () => Promise.resolve(),
  } as unknown as Store
  let transfer = { transfer_rx: 1_000, transfer_tx: 5_000 }
  const read = () => {
    const peers = [{ public_key: PEER, allowed_ips: ['192.168.7.2/32'], ...transfer }]
    const interfaces = [{ name: 'wgsrv1', public_key: SERVER, listen_port: 51820, peers }]
    return Promise.resolve({ known: true as const, text: JSON.stringify({ interfaces }), first_key: null })
  }
  const settings = { id: 'uk', gateway: { host: 'gw', port: 22 }, host_keys: [], interface: null, dns: [] }
  const site = new Site(settings as unknown as SiteSettings, {
    clock,
    log: silentLog,
    store,
    gateway: { read },
  })
  const rates = async () => {
    const [client] = shownClients([await site.sync()], new Map(), clock.now())
    return [client?.rx_rate, client?.tx_rate]
  }
  expect(await rates()).toEqual([null, null])
  transfer = { transfer_rx: 21_000, transfer_tx: 5_010 }
  clock.pass(20_000)
  expect(await rates()).toEqual([1_000, 1])
  transfer = { transfer_rx: 0, transfer_tx: 6_010 }
  clock.pass(10_000)
  expect(await rates()).toEqual([null, null])
  await site.close()
})
