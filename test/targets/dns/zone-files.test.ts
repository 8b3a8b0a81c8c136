/** The target on what it has in an empty environment: real zone files, and the real ledger in SQLite. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ZonefileProvider } from '../../../src/adapters/dns/zonefile/provider.ts'
import { MOST_ZONE_BYTES } from '../../../src/adapters/dns/zonefile/zone-file.ts'
import { managedFile } from '../../../src/adapters/files/managed-file.ts'
import { openStore } from '../../../src/adapters/sqlite/open.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { DnsDesired } from '../../../src/targets/dns/desire.ts'
import { dnsFamily } from '../../../src/targets/dns/family.ts'
import { ZoneBook } from '../../../src/targets/dns/zone-book.ts'
import { ZoneLock } from '../../../src/targets/dns/zone-lock.ts'
import { desiredOf, someSettings } from './rows.ts'

const never = new AbortController().signal

async function realZone() {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-dns-'))
  const clock = systemClock
  const log = silentLog
  const store = await openStore({ directory: join(root, 'data'), log, clock })
  onTestFinished(async () => {
    await store.close()
    rmSync(root, { recursive: true, force: true })
  })
  const directory = join(root, 'zones')
  const path = join(directory, 'example.com.zone')
  const file = (of: string) => managedFile(of, { most_bytes: MOST_ZONE_BYTES, log })
  // Makes the folder.
  file(path)
  const provider = new ZonefileProvider(
    { account: 'default', directory, nameservers: ['ns1.provider.test'], contact: null, reload: null },
    { file, clock, log },
  )
  const family = dnsFamily({
    providers: [provider],
    settings: someSettings(),
    store,
    installation_id: store.installation_id,
    book: new ZoneBook({ account: 'default', only: [] }),
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
  return { store, pass, textOf: () => readFileSync(path, 'latin1') }
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
  expect((await store.ownedRrsets()).map(({ name, state }) => [name, state])).toEqual([
    ['*.apps.example.com', 'owned'],
    ['app.example.com', 'owned'],
  ])
  expect(await pass(desiredOf([rows[0]!, { ...rows[1]!, retired: true }]))).toEqual([
    'delete AAAA *.apps.example.com',
  ])
  expect(await store.ownedRrsets()).toHaveLength(1)
  expect(textOf()).not.toContain('2001:db8::7')
})
