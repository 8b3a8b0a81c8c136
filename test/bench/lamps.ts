/** Lamps of 10,000 domains: by what is known, as rows of letters. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { LampTable } from '../../src/features/lamps/read-lamps.ts'
import { type Client, clientOf } from '../flows/client.ts'
import { estateOf } from './estate.ts'
import { must } from './filled-house.ts'
import { ms, type Row } from './measure.ts'

const DOMAINS = 10_000
const CALLS = 40
const WARM_UP = 10

async function rowsOf(client: Client): Promise<number> {
  const { body } = await client('GET', '/api/domains/lamps')
  return (body as unknown as LampTable).rows.length
}

export async function lampRows(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  const house = await buildDaemon(loadConfig(env), { log: silentLog })
  try {
    await house.open()
    const client = clientOf(house)
    await must(client, 'POST', '/api/estate', {
      domains: estateOf(DOMAINS).map(({ fields, status }) => ({ ...fields, status })),
    })
    // On a busy machine it goes on as an operation.
    while ((await rowsOf(client)) < DOMAINS) await sleep(500)
    const times: number[] = []
    let text = ''
    for (let call = 0; call < WARM_UP + CALLS; call++) {
      const started = performance.now()
      const { body } = await client('GET', '/api/domains/lamps')
      if (call >= WARM_UP) times.push(performance.now() - started)
      text = JSON.stringify(body)
    }
    const middle = times.toSorted((a, b) => a - b)[CALLS / 2]!
    const size = gzipSync(text, { level: 1 }).length
    return [
      {
        goal: `lamps of ${DOMAINS} domains, the middle of ${CALLS} calls`,
        figure: `${ms(middle)} ms`,
        limit: 'under 30 ms',
        ok: middle < 30,
      },
      {
        goal: `lamps of ${DOMAINS} domains, gzip level 1`,
        figure: `${Math.round(size / 1000)} kB (${Math.round(text.length / 1000)} kB plain)`,
        limit: 'at most 250 kB',
        ok: size <= 250_000,
      },
    ]
  } finally {
    await house.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
