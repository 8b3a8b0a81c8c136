/** An open house with 1,000 deployed domains in a temporary directory, for as long as the work on it takes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon, type Daemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Client, clientOf } from '../flows/client.ts'
import { estateOf } from './estate.ts'

export interface FilledHouse {
  readonly house: Daemon
  readonly client: Client
  readonly directory: string
}

export async function withFilledHouse<T>(work: (filled: FilledHouse) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  const house = await buildDaemon(loadConfig(env), { log: silentLog })
  try {
    await house.open()
    const client = clientOf(house)
    await must(client, 'POST', '/api/estate', {
      domains: estateOf(1000).map(({ fields, status }) => ({ ...fields, status })),
    })
    return await work({ house, client, directory })
  } finally {
    await house.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

export async function must(client: Client, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await client(method, path, body === undefined ? {} : { body })
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
}
