/** A daemon that is killed in the middle of a change of 500 records: after its restart DNS is what was released. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { brokenPromises } from '../broken-promises.ts'
import { describePeers } from '../peers/peers.ts'
import { type Running, start } from './command.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { DNS_SOFTWARE, type DnsSoftware } from './dns-world.ts'
import { byTier, sample } from '../kit/tier.ts'
import { newFolder } from '../kit/new-folder.ts'

const RECORDS = byTier(20, 500)
/** What the whole change of the gate takes, about; in depth a life that is not cut off is measured. */
const SENT_IN_THE_GATE = byTier(17_000, null)
const ZONE = 'large.test'
const PUBLIC = '203.0.113.10'
const KEY = 'the-key-of-this-very-test-0001'
/** Shares of the traffic of the whole change after which the daemon is killed. */
const SHARES = byTier(
  [0.6],
  [0.2, 0.6, 1],
  Array.from({ length: 40 }, (_, i) => (i + 1) / 40),
)

describe.each(sample(DNS_SOFTWARE, 2))('$title', (software) => {
  describePeers(software.programs, `killed in the middle of ${RECORDS} records`, () => killed(software))
})

function killed(software: DnsSoftware): void {
  it(
    'finishes what was released, each record once, and touches nothing else',
    { timeout: 600_000 },
    async () => {
      const sent = SENT_IN_THE_GATE ?? (await uncut(software))
      let finished = 0
      for (const share of SHARES)
        for (const moment of byTier(['after'] as const, ['before', 'after'] as const)) {
          const bytes = Math.max(1, Math.floor(sent * share))
          const ended = await life(software, { bytes, moment })
          // A transaction that was cut off before its commit released nothing; one that was not is finished.
          expect([0, RECORDS], `${share} ${moment}`).toContain(ended.records)
          finished += ended.records === RECORDS ? 1 : 0
        }
    },
  )
}

async function uncut(software: DnsSoftware): Promise<number> {
  const { records, sent } = await life(software, null)
  expect(records).toBe(RECORDS)
  return sent
}

interface Life {
  readonly records: number
  /** Bytes on the way to the server, for the change alone. */
  readonly sent: number
}

async function life(
  software: DnsSoftware,
  cut: { readonly bytes: number; readonly moment: 'before' | 'after' } | null,
): Promise<Life> {
  const world = await software.start([ZONE])
  const proxy = await cuttingProxy(world.tcp_port)
  const directory = newFolder('killed')
  const env = {
    ...world.through(proxy.port),
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_PUBLIC_IP: PUBLIC,
    API_KEY: KEY,
  }
  const stranger = { name: `mail.${ZONE}`, type: 'A', ttl: 600, values: ['192.0.2.25'] }
  let daemon: Running | null = null
  try {
    await world.put(ZONE, stranger)
    daemon = await serve(env)
    const before = proxy.sent
    const victim = daemon
    if (cut !== null) proxy.cutAfter(cut.bytes, cut.moment, () => void victim.stop('SIGKILL'))
    const answer = await call(directory, 'POST', '/api/estate', { domains: estate() }).catch(() => null)
    const sent = proxy.sent - before
    // On a slow machine it goes on as an operation.
    if (cut === null) expect([200, 202], JSON.stringify(answer?.body)).toContain(answer?.status)
    else {
      await victim.stop('SIGKILL')
      expect(brokenPromises(directory, 'at death')).toEqual([])
      daemon = await serve(env)
    }
    const released = await settled(directory)
    // What was sent before the end bears no number that the database has not.
    const ready = async () => JSON.stringify((await call(directory, 'GET', '/ready')).body)
    await expect.poll(ready, { interval: 200 }).toContain('"ready"')
    const records = (await world.records(ZONE)).filter(({ type }) => type === 'A')
    const names = records.map(({ name }) => name).sort()
    expect(names).toEqual([...released, stranger.name].sort())
    for (const { name, value } of records) expect(value).toBe(name === stranger.name ? '192.0.2.25' : PUBLIC)
    expect(brokenPromises(directory, 'at rest')).toEqual([])
    return { records: released.length, sent }
  } finally {
    await daemon?.stop()
    await proxy.close()
    await world.stop()
  }
}

async function serve(env: Readonly<Record<string, string>>): Promise<Running> {
  const daemon = start(['serve'], env)
  await daemon.saw('listen')
  await expect
    .poll(() =>
      call(env['PLUMBLINE_DATA_DIR']!, 'GET', '/health').then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return daemon
}

const estate = () =>
  Array.from({ length: RECORDS }, (_, i) => ({
    domain: `app${i}.${ZONE}`,
    service_type: 'http',
    environment: 'production',
    backend_host: '10.0.0.5',
    backend_port: 8080,
    status: 'active',
  }))

/** Waits until everything that is released is in the world, and answers the released names. */
async function settled(directory: string): Promise<readonly string[]> {
  let names: readonly string[] = []
  await expect
    .poll(
      async () => {
        const active = await call(directory, 'GET', '/api/domains?limit=1000')
        names = (active.body as readonly { domain: string; status: string }[])
          .filter(({ status }) => status === 'active')
          .map(({ domain }) => domain)
        const found = (await call(directory, 'GET', '/api/dns/records')).body as {
          readonly records: readonly { readonly state: string; readonly detail: string | null }[]
        }
        return (
          found.records.filter(({ state, detail }) => state === 'owned' && detail === null).length -
          names.length
        )
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(0)
  return names
}

async function call(directory: string, method: string, path: string, body?: unknown) {
  const { listen } = JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8')) as { listen: string }
  const answer = await request(`${listen}${path}`, {
    method: method as 'GET' | 'POST',
    headers: { 'x-api-key': KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: await answer.body.json() }
}
