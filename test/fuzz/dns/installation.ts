/** The engine's parts over a real store, with one zone at one provider, worked pass by pass. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layInstallation } from '../../kit/new-installation.ts'
import { openStore } from '../../../src/store/open.ts'
import { Editions } from '../../../src/engine/editions/editions.ts'
import { ObservationOrder } from '../../../src/engine/observation.ts'
import { RefusedItems } from '../../../src/engine/pass/refused-items.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Memory } from '../../../src/engine/memory.ts'
import { pass } from '../../../src/engine/pass/pass.ts'
import type { AnyTarget } from '../../../src/engine/target.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { silentMetrics } from '../../fakes/silent-metrics.ts'
import type { IntentRow } from '../../../src/model/intent.ts'
import type { Report } from '../../../src/model/report.ts'
import type { DnsProvider } from '../../../src/features/dns/providers/port.ts'
import type { Store } from '../../../src/ports/store.ts'
import { dnsFamily } from '../../../src/features/dns/target/family.ts'
import type { DnsLedger } from '../../../src/features/dns/target/parts.ts'
import { ZoneIndex } from '../../../src/features/dns/target/zones/zone-index.ts'
import { ZoneLock } from '../../../src/features/dns/target/zones/zone-lock.ts'
import { someSettings } from '../../features/dns/target/rows.ts'
import { ZONE } from './providers.ts'
import { wholeWorld } from '../../engine/whole-world.ts'
import { ddnsRecords } from '../../../src/features/ddns/records.ts'
import { carryOver } from '../../../src/features/ddns/hosts/carry-over.ts'

const HUB = 'hub.example.net'
export const PUBLIC = '192.0.2.1'

export interface Installation {
  readonly store: Store
  /** Rows and all, unless a guard stands in the way and nobody lifts it. False then. */
  release(rows: readonly IntentRow[], confirmed: boolean): Promise<boolean>
  /** The hub's own gateway speaks. */
  report(ipv4: string | null, ipv6: string | null): Promise<void>
  /** @param asked a caller wants it now; else it is a tick. */
  pass(asked: boolean, signal: AbortSignal): Promise<Report>
  close(): Promise<void>
}

/** @param ledger what the target takes for the store. */
export async function install(
  provider: DnsProvider,
  ledger: (store: Store) => DnsLedger,
): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-fuzz-'))
  const parts = { clock: systemClock, log: silentLog, metrics: silentMetrics, random: () => 0.5 }
  await layInstallation(directory)
  const store = await openStore({ directory, ...parts })
  const zone_index = new ZoneIndex(null)
  zone_index.setZones([{ name: ZONE, account: provider.account, writable: true, detail: null }])
  const world = wholeWorld(store)
  const family = dnsFamily({
    ...parts,
    providers: [provider],
    settings: someSettings({ ttl: 3600, hub_host: HUB, public_ip: [PUBLIC] }),
    store: ledger(store),
    installation_id: store.installation_id,
    worldStamp: () => world.own(),
    zone_index,
    lock: new ZoneLock(),
  })
  const target = family.target(ZONE) as unknown as AnyTarget
  const protection = (name: string) => (name.startsWith('*.') ? 'stands for many names' : null)
  const engine = new Engine({
    ...parts,
    world,
    store,
    targets: [family],
    mode: 'repair',
    protection,
    carryOver,
  })
  await engine.prepare()
  const memory = new Memory(store, systemClock, 'repair')
  await memory.load()
  const pass_parts = {
    ...parts,
    world,
    store,
    memory,
    editions: new Editions(store),
    refused_items: new RefusedItems(),
    looks: new ObservationOrder(),
  }
  const request = { actor: 'fuzz', request_id: '', reason: 'fuzz', plan_hash: null, warnings: [] }
  return {
    store,
    async release(rows, confirmed) {
      const moved = rows.map((row) => ({ domain_id: row.domain_id, row }))
      const hits = engine.releaseGuards(await store.intent('released'), moved)
      if (hits.some(({ confirmable }) => !confirmable || !confirmed)) return false
      await store.write((tx) => engine.release(tx, { ...request, rows: moved }))
      return true
    },
    async report(ipv4, ipv6) {
      const now = systemClock.now()
      await store.write((tx) =>
        tx.of(ddnsRecords).saveReportedAddress({ host: HUB, ipv4, ipv6, changed_at: now, reported_at: now }),
      )
    },
    pass: (asked, signal) => pass(target, pass_parts, { asked_for: asked ? 'all' : null, signal }),
    async close() {
      await engine.stop(0)
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
