/** One edited domain among 1,000: the whole deploy call against the bare atomic write of the same bytes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeAtomically } from '../../src/adapters/files/write-atomically.ts'
import { loadConfig } from '../../src/config/load.ts'
import { buildHouse, type House } from '../../src/house.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Client, clientOf } from '../flows/client.ts'
import { estateOf } from './estate.ts'
import { median, ms, type Row, timed } from './measure.ts'

const ROUNDS = 41

export async function deployRows(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const house = await buildHouse(
    loadConfig({ PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }),
    {
      log: silentLog,
    },
  )
  try {
    await house.open()
    await must(clientOf(house), 'POST', '/api/estate', {
      domains: estateOf(1000).map(({ fields }) => fields),
    })
    return [await compare(house, directory)]
  } finally {
    await house.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function compare(house: House, directory: string): Promise<Row> {
  const bare = join(directory, 'bare', 'routes.yml')
  const client = clientOf(house)
  const ratios: number[] = []
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await must(client, 'PUT', '/api/domains/500', { backend_port: 9000 + round })
    const deploy = await timed(() => must(client, 'POST', '/api/domains/500/deploy'))
    const bytes = readFileSync(house.routes_path)
    const write = await timed(() => writeAtomically(bare, [bytes], { mode: 0o644, watched: true }))
    ours.push(deploy)
    theirs.push(write)
    ratios.push(deploy / write)
  }
  const ratio = median(ratios)
  return {
    goal: 'one edited domain of 1,000: deploy call against the bare atomic write of the bytes',
    figure: `${ratio.toFixed(1)}x (${ms(median(ours))} against ${ms(median(theirs))} ms)`,
    limit: 'at most 4x',
    ok: ratio <= 4,
  }
}

async function must(client: Client, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await client(method, path, body === undefined ? {} : { body })
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
}
