/** Two hundred invitations at once: what they cost everybody else in the process, and how near the hashing is to the bare library. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { argon2Hasher } from '../../src/adapters/argon2/hasher.ts'
import { loadConfig } from '../../src/config/load.ts'
import { buildHouse, type House } from '../../src/house.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { Secret } from '../../src/kernel/secret.ts'
import { clientOf } from '../flows/client.ts'
import { bareHash } from './bare-hash.ts'
import { median, ms, type Row } from './measure.ts'

const INVITED = 200
const HASHES = 40
const ROUNDS = 5
const MOST_DELAY_MS = 50
const MOST_MEMORY_MB = 300
const LEAST_RATIO = 0.9
const MOST_SLOWER = 3
const IDLE_READS = 400

export async function peopleRows(): Promise<Row[]> {
  return [...(await invitedAtOnce()), await hashing()]
}

async function invitedAtOnce(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const file = join(directory, 'small')
  writeFileSync(file, 'x'.repeat(4096))
  const env = {
    PLUMBLINE_DATA_DIR: join(directory, 'data'),
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_PROVIDER: 'none',
    PLUMBLINE_SSO_USERS_FILE: join(directory, 'users.yml'),
    PLUMBLINE_SSO_USERS_RELOAD: 'none',
  }
  const house = await buildHouse(loadConfig(env), { log: silentLog })
  try {
    const idle_ms = await readsUntil(file, (count) => count < IDLE_READS)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    let busy = true
    let peak = 0
    delay.enable()
    const reading = readsUntil(file, () => {
      peak = Math.max(peak, process.memoryUsage.rss())
      return busy
    })
    const began = performance.now()
    await invitePeople(house)
    const took_ms = performance.now() - began
    busy = false
    delay.disable()
    return rowsOf({
      took_ms,
      delay_ms: delay.percentile(99) / 1e6,
      peak_mb: peak / 1e6,
      slower: p95(await reading) / p95(idle_ms),
    })
  } finally {
    await house.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Figures {
  readonly took_ms: number
  readonly delay_ms: number
  readonly peak_mb: number
  /** Reads of a small file meanwhile against idle, at the 95th percentile. */
  readonly slower: number
}

function rowsOf({ took_ms, delay_ms, peak_mb, slower }: Figures): Row[] {
  const what = `${INVITED} invitations at once (${(took_ms / 1000).toFixed(1)} s)`
  return [
    {
      goal: `${what}: event loop, p99`,
      figure: `${ms(delay_ms)} ms`,
      limit: `under ${MOST_DELAY_MS} ms`,
      ok: delay_ms < MOST_DELAY_MS,
    },
    {
      goal: `${what}: memory of the process`,
      figure: `${peak_mb.toFixed(0)} MB`,
      limit: `under ${MOST_MEMORY_MB} MB`,
      ok: peak_mb < MOST_MEMORY_MB,
    },
    {
      goal: `${what}: reading a small file meanwhile, p95 against idle`,
      figure: `${slower.toFixed(1)}x`,
      limit: `at most ${MOST_SLOWER}x`,
      ok: slower <= MOST_SLOWER,
    },
  ]
}

async function invitePeople(house: House): Promise<void> {
  const call = clientOf(house)
  const answers = await Promise.all(
    Array.from({ length: INVITED }, (_, i) =>
      call('POST', '/api/users/invite', {
        body: { display_name: `Person ${String.fromCharCode(97 + (i % 26))}`, email: `p${i}@example.net` },
      }),
    ),
  )
  const failed = answers.find(({ status }) => status !== 201)
  if (failed !== undefined) throw new Error(`${failed.status}: ${JSON.stringify(failed.body)}`)
}

/** Milliseconds of each read, one after the other with a pause between. */
async function readsUntil(file: string, goOn: (count: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (goOn(times.length)) {
    const began = performance.now()
    await readFile(file)
    times.push(performance.now() - began)
    await pause(1)
  }
  return times
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!

/** Both sides hash as many in turn; the bare library gets as many at once as it likes best here, which is a thread for each core. */
async function hashing(): Promise<Row> {
  const hasher = argon2Hasher()
  const password = new Secret('a password of usual length')
  const signal = new AbortController().signal
  const ours = () => Promise.all(Array.from({ length: HASHES }, () => hasher.hash(password, signal)))
  const ratios: number[] = []
  await ours()
  for (let round = 0; round < ROUNDS; round++) {
    const ours_ms = await lasting(ours)
    const bare_ms = await lasting(() => bareHash(password.reveal(), HASHES, 2))
    ratios.push(bare_ms / ours_ms)
  }
  const ratio = median(ratios)
  return {
    goal: 'argon2id hashes a second against the bare library',
    figure: `${ratio.toFixed(2)}x`,
    limit: `at least ${LEAST_RATIO}x`,
    ok: ratio >= LEAST_RATIO,
  }
}

async function lasting(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
