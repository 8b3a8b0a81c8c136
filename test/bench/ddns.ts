/** Gateways that report what is known already: how many a second, and what they cost the store and whoever publishes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { clientOf } from '../flows/client.ts'
import { must } from './filled-house.ts'
import { median, type Row, timed } from './measure.ts'

const HOSTS = 500
const ROUNDS = 15
const MAX_WRITES = 0
const MIN_PER_SECOND = 5000

export async function ddnsRows(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  let writes = 0
  const house = await buildDaemon(loadConfig(env), {
    log: silentLog,
    wrap: { store: (store) => ({ ...store, write: (work) => (writes++, store.write(work)) }) },
  })
  try {
    return [await unchanged(house, () => writes)]
  } finally {
    await house.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function unchanged(house: Daemon, writes: () => number): Promise<Row> {
  const targets = await gateways(house)
  const all = async () => {
    for (const target of targets) await report(house, target)
  }
  await all()
  const before = writes()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(all))
  const per_second = Math.round(HOSTS / (median(times) / 1000))
  const written = writes() - before
  return {
    goal: `unchanged addresses of ${HOSTS} gateways, each with its token`,
    figure: `${per_second.toLocaleString('en')} a second, ${written} transactions`,
    limit: `at least ${MIN_PER_SECOND.toLocaleString('en')} a second, no transaction`,
    ok: per_second >= MIN_PER_SECOND && written <= MAX_WRITES,
  }
}

/** The request targets of as many gateways: record, token, address. */
async function gateways(house: Daemon): Promise<string[]> {
  const client = clientOf(house)
  const targets: string[] = []
  for (let i = 0; i < HOSTS; i++) {
    const host = `site${i}.example.com`
    const fields = { domain: host, service_type: 'http', environment: 'production', backend_host: '10.0.0.5' }
    await must(client, 'POST', '/api/domains', { ...fields, backend_port: 80, ddns_enabled: true })
    const { body } = await client('POST', '/api/ddns/tokens', { body: { host } })
    targets.push(
      `/api/ddns/update/${host}?key=${body['key'] as unknown as string}&ip=84.1.${i >> 8}.${i & 255}`,
    )
  }
  return targets
}

/** Without a socket in between. */
async function report(house: Daemon, target: string): Promise<void> {
  const { status } = await house.app.request(target, {}, { peer: '84.1.2.3' })
  if (status !== 200) throw new Error(`${target.split('?')[0]}: ${status}`)
}
