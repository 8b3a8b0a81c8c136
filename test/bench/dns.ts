/** A zone of 10,000 records at a real PowerDNS: what it costs to see that nothing is to be done, and to change a thousand. */
import { PowerDnsProvider } from '../../src/features/dns/providers/powerdns/provider.ts'
import { createHttpClient } from '../../src/io/http-client/create-client.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { Secret } from '../../src/kernel/secret.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import type { DnsDesired } from '../../src/features/dns/target/desire.ts'
import { dnsFamily } from '../../src/features/dns/target/family.ts'
import type { DnsTarget } from '../../src/features/dns/target/parts.ts'
import { ZoneIndex } from '../../src/features/dns/target/zones/zone-index.ts'
import { ZoneLock } from '../../src/features/dns/target/zones/zone-lock.ts'
import { missingOf } from '../peers/programs.ts'
import { POWERDNS_PROGRAMS, startPowerDns } from '../peers/powerdns.ts'
import { stampAt } from '../features/dns/target/bench.ts'
import { MemoryLedger } from '../features/dns/target/memory-ledger.ts'
import { desiredOf, someSettings } from '../features/dns/target/rows.ts'
import { median, type Row, timed } from './measure.ts'

const ZONE = 'large.test'
const RECORDS = 10_000
const CHANGED = 1000
const LOOKS = 15
/** So many are changed one by one; a thousand would take minutes. */
const SINGLES = 50
const MIN_IDLE_RATIO = 20
const MIN_BATCH_RATIO = 200

const never = new AbortController().signal

export async function dnsRows(): Promise<Row[]> {
  const missing = missingOf(POWERDNS_PROGRAMS)
  if (missing.length > 0) {
    process.stderr.write(`not measured without ${missing.join(', ')}\n`)
    return []
  }
  const peer = await startPowerDns()
  const http = createHttpClient({ clock: systemClock })
  try {
    await peer.addZone(ZONE)
    const counted = counting(http)
    const api_key = new Secret(peer.api_key)
    const provider = new PowerDnsProvider({
      account: 'default',
      url: peer.origin,
      api_key,
      http: counted.http,
    })
    const ledger = new MemoryLedger()
    const fresh = () => targetOver(provider, ledger)
    const desired = wanted(0)
    await bring(fresh(), desired)
    const idle = await idleRow(fresh, desired, counted)
    return [idle, await batchRow(fresh(), provider, counted)]
  } finally {
    await http.close()
    await peer.stop()
  }
}

/** The first ones have an address of their own that moves with `step`. */
const wanted = (step: number): DnsDesired =>
  desiredOf(
    Array.from({ length: RECORDS }, (_, i) => ({
      domain: `h${i}.${ZONE}`,
      static_ip: i < CHANGED ? `192.0.2.${step}` : '198.51.100.7',
    })),
  )

function targetOver(provider: PowerDnsProvider, store: MemoryLedger): DnsTarget {
  const zone_index = new ZoneIndex(null)
  zone_index.setZones([{ name: ZONE, account: 'default', writable: true, detail: null }])
  const settings = someSettings()
  const parts = { store, settings, zone_index, lock: new ZoneLock(), clock: systemClock, log: silentLog }
  const installation_id = 'bench'
  const worldStamp = async () => stampAt(1, installation_id)
  return dnsFamily({ ...parts, providers: [provider], installation_id, worldStamp }).target(ZONE)
}

async function differencesOf(target: DnsTarget, desired: DnsDesired) {
  const observation = await target.observe(never)
  if (!observation.known) throw new Error(observation.detail)
  return target.diff(desired, observation.state)
}

async function bring(target: DnsTarget, desired: DnsDesired): Promise<void> {
  const differences = await differencesOf(target, desired)
  const refused = (await target.apply(differences, desired, { signal: never, evidence: false })).find(
    ({ ok }) => !ok,
  )
  if (refused !== undefined) throw new Error(JSON.stringify(refused))
  if ((await differencesOf(target, desired)).length > 0) throw new Error('the zone is not what was asked for')
}

interface Counted {
  readonly http: HttpClient
  requests: number
}

function counting(http: HttpClient): Counted {
  const counted: Counted = {
    requests: 0,
    http: { ...http, request: (request) => (counted.requests++, http.request(request)) },
  }
  return counted
}

async function idleRow(fresh: () => DnsTarget, desired: DnsDesired, counted: Counted): Promise<Row> {
  const target = fresh()
  const look = async (at: DnsTarget) => {
    if ((await differencesOf(at, desired)).length > 0) throw new Error('something is to be done')
  }
  await look(target)
  const [cheap, full]: [number[], number[]] = [[], []]
  const before = counted.requests
  for (let i = 0; i < LOOKS; i++) cheap.push(await timed(() => look(target)))
  const requests = (counted.requests - before) / LOOKS
  for (let i = 0; i < LOOKS; i++) full.push(await timed(() => look(fresh())))
  const ratio = median(full) / median(cheap)
  return {
    goal: `look and diff of a ${RECORDS.toLocaleString('en')}-record zone at PowerDNS with nothing to do, against the full listing`,
    figure: `${ratio.toFixed(0)}x cheaper (${median(cheap).toFixed(1)} against ${median(full).toFixed(0)} ms), ${requests} request`,
    limit: `at least ${MIN_IDLE_RATIO}x, 1 request`,
    ok: ratio >= MIN_IDLE_RATIO && requests === 1,
  }
}

async function batchRow(target: DnsTarget, provider: PowerDnsProvider, counted: Counted): Promise<Row> {
  const desired = wanted(1)
  const differences = await differencesOf(target, desired)
  const before = counted.requests
  const batch_ms = await timed(async () => {
    await target.apply(differences, desired, { signal: never, evidence: false })
  })
  // The zone is read once more right before the write, however many sets are written.
  const requests = counted.requests - before
  const listed = new Map((await provider.list(ZONE, never)).map((set) => [set.name, set]))
  const single_before = counted.requests
  const single_ms = await timed(async () => {
    for (let i = 0; i < SINGLES; i++) {
      const name = `h${i}.${ZONE}`
      const seen = listed.get(name)!
      const { ttl, comment, proxied } = seen
      const change = { name, type: 'A', wanted: { ttl, values: ['192.0.2.2'], comment, proxied }, seen }
      await provider.change(ZONE, [change], never)
    }
  })
  const singles = ((counted.requests - single_before) * CHANGED) / SINGLES
  const alone_ms = (single_ms * CHANGED) / SINGLES
  return {
    goal: `${CHANGED.toLocaleString('en')} changes at PowerDNS against one request per record`,
    figure: `${requests} requests against ${singles.toLocaleString('en')}, ${(alone_ms / batch_ms).toFixed(0)}x faster (${batch_ms.toFixed(0)} against ${alone_ms.toFixed(0)} ms, from ${SINGLES} of them)`,
    limit: `at least ${MIN_BATCH_RATIO}x fewer requests`,
    ok: singles / requests >= MIN_BATCH_RATIO,
  }
}
