/** The target on what it has in an empty environment: real zone files, and the real ledger in SQLite. */
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ZonefileProvider } from '../../../../src/features/dns/providers/zonefile/provider.ts'
import { MAX_ZONE_BYTES } from '../../../../src/features/dns/providers/zonefile/zone-file.ts'
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { layInstallation } from '../../../kit/new-installation.ts'
import { openStore } from '../../../../src/store/open.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { WRITTEN_BY_OWNER } from '../../../../src/model/file-access.ts'
import type { DnsDesired } from '../../../../src/features/dns/target/desire.ts'
import { dnsFamily } from '../../../../src/features/dns/target/family.ts'
import { ZoneIndex } from '../../../../src/features/dns/target/zones/zone-index.ts'
import { ZoneLock } from '../../../../src/features/dns/target/zones/zone-lock.ts'
import { wholeWorld } from '../../../engine/whole-world.ts'
import { desiredOf, someSettings } from './rows.ts'
import { dnsRecords } from '../../../../src/features/dns/records.ts'
import { dnsLedger } from '../../../../src/features/dns/target/parts.ts'
import { readReportedAddresses } from '../../../../src/features/ddns/records.ts'

const never = new AbortController().signal

async function realZone() {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-dns-'))
  const clock = systemClock
  const log = silentLog
  await layInstallation(join(root, 'data'))
  const store = await openStore({ directory: join(root, 'data'), log, clock })
  onTestFinished(async () => {
    await store.close()
    rmSync(root, { recursive: true, force: true })
  })
  const directory = join(root, 'zones')
  const path = join(directory, 'example.com.zone')
  const file = (of: string) => managedFile(of, { max_bytes: MAX_ZONE_BYTES, access: WRITTEN_BY_OWNER, log })
  // Makes the folder.
  file(path)
  const provider = new ZonefileProvider(
    { account: 'default', directory, nameservers: ['ns1.provider.test'], contact: null, reload: null },
    { file, clock, log },
  )
  const family = dnsFamily({
    providers: [provider],
    settings: someSettings(),
    store: dnsLedger(store, readReportedAddresses),
    installation_id: store.installation_id,
    worldStamp: () => wholeWorld(store).own(),
    zone_index: new ZoneIndex({ account: 'default', only: [] }),
    lock: new ZoneLock(),
    clock,
    log,
  })
  const zone = family.target('example.com')
  const look = async () => {
    const observation = await zone.observe(never)
    if (!observation.known) throw new Error(observation.detail)
    return observation.state
  }
  const pass = async (desired: DnsDesired): Promise<string[]> => {
    const differences = zone.diff(desired, await look())
    const repairs = await zone.apply(differences, desired, { signal: never, evidence: false })
    expect(repairs.filter(({ ok }) => !ok)).toEqual([])
    expect(zone.diff(desired, await look())).toEqual([])
    return differences.map(({ verb, item }) => `${verb} ${item}`)
  }
  return { store, pass, zone, look, path, textOf: () => readFileSync(path, 'latin1') }
}

it('makes the zone, fills it, follows the records, and leaves the file alone when nothing differs', async () => {
  const { store, pass, textOf } = await realZone()
  const rows = [{ domain: 'app.example.com' }, { domain: '*.apps.example.com', static_ip: '2001:db8::7' }]
  expect(await pass(desiredOf(rows))).toEqual(['create AAAA *.apps.example.com', 'create A app.example.com'])
  const text = textOf()
  expect(text).toContain('192.0.2.1')
  expect(text).toContain(`plumbline:1:${store.installation_id}:1`)
  expect(await pass(desiredOf(rows))).toEqual([])
  expect(textOf()).toBe(text)
  expect((await store.of(dnsRecords).ownedRrsets()).map(({ name, state }) => [name, state])).toEqual([
    ['*.apps.example.com', 'owned'],
    ['app.example.com', 'owned'],
  ])
  expect(await pass(desiredOf([rows[0]!, { ...rows[1]!, retired: true }]))).toEqual([
    'delete AAAA *.apps.example.com',
  ])
  expect(await store.of(dnsRecords).ownedRrsets()).toHaveLength(1)
  expect(textOf()).not.toContain('2001:db8::7')
})

it('a file that others may write, or that nobody can read, and a closed folder are told and hinder nothing', async () => {
  const { pass, zone, look, path, textOf } = await realZone()
  const desired = desiredOf([{ domain: 'app.example.com' }])
  await pass(desired)
  const explained = async () =>
    zone.explain({ working: desired, released: desired, observed: await look(), rows_moved: false })
      .differences
  const text = textOf()
  const cases = [
    [path, 0o666, /may be written by everybody \(mode 0666\): chmod 0644/],
    [path, 0o000, /cannot be read by its owner \(mode 0000\): chmod 0600/],
    [dirname(path), 0o000, /is closed \(mode 0000\)\. Open it: chmod u\+rx/],
  ] as const
  for (const [at, mode, detail] of cases) {
    const before = statSync(at).mode & 0o777
    chmodSync(at, mode)
    // A user that is not root does not get in itself, which is unknown and not clean.
    if (process.geteuid?.() !== 0 && mode === 0) {
      expect(await zone.observe(never)).toMatchObject({ known: false })
    } else {
      expect(await explained()).toEqual([
        { item: path, cause: 'access', domains: [], detail: expect.stringMatching(detail) as string },
      ])
      expect(zone.obstacles?.(desired, await look())).toMatchObject([{ item: path, beside: true }])
      expect(zone.diff(desired, await look())).toEqual([])
    }
    chmodSync(at, before)
    expect(await explained()).toEqual([])
  }
  expect(textOf()).toBe(text)
  // Whoever writes there puts it right; a group that was let in stays.
  chmodSync(path, 0o666)
  await pass(desiredOf([{ domain: 'app.example.com' }, { domain: 'new.example.com' }]))
  expect(statSync(path).mode & 0o777).toBe(0o644)
  chmodSync(path, 0o640)
  expect(await explained()).toEqual([])
})
