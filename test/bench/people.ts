/** Two hundred invitations at once: what they cost everybody else in the process, and how near the hashing is to the bare library. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { argon2Hasher } from '../../src/features/people/argon2/hasher.ts'
import { Secret } from '../../src/kernel/secret.ts'
import { bareHash } from './bare-hash.ts'
import { median, ms, type Row } from './measure.ts'

const INVITED = 200
const HASHES = 40
const ROUNDS = 5
const MAX_DELAY_MS = 50
const MAX_MEMORY_MB = 300
const MIN_RATIO = 0.9
const MAX_SLOWER = 3
const PATIENCE_MS = 120_000
/** As `npm start` and the container image have it. */
const AS_STARTED = '--max-semi-space-size=8'

/** What a process of its own measured (`children/inviting.ts`). */
export interface Invited {
  readonly took_ms: number
  readonly delay_ms: number
  /** Resident memory of the whole process, which the thread that hashes is part of: before, and at its peak. */
  readonly idle_mb: number
  readonly peak_mb: number
  /** Reads of a small file meanwhile against idle, at the 95th percentile. */
  readonly slower: number
}

export async function peopleRows(): Promise<Row[]> {
  const child = fileURLToPath(new URL('children/inviting.ts', import.meta.url))
  const words = [AS_STARTED, child, String(INVITED)]
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: PATIENCE_MS })
  return [...rowsOf(JSON.parse(stdout) as Invited), await hashing()]
}

function rowsOf({ took_ms, delay_ms, idle_mb, peak_mb, slower }: Invited): Row[] {
  const what = `${INVITED} invitations at once (${(took_ms / 1000).toFixed(1)} s)`
  return [
    {
      goal: `${what}: event loop, p99`,
      figure: `${ms(delay_ms)} ms`,
      limit: `under ${MAX_DELAY_MS} ms`,
      ok: delay_ms < MAX_DELAY_MS,
    },
    {
      goal: `${what}: peak memory of a fresh process, hashing included`,
      figure: `${peak_mb.toFixed(0)} MB (${idle_mb.toFixed(0)} before)`,
      limit: `under ${MAX_MEMORY_MB} MB`,
      ok: peak_mb < MAX_MEMORY_MB,
    },
    {
      goal: `${what}: reading a small file meanwhile, p95 against idle`,
      figure: `${slower.toFixed(1)}x`,
      limit: `at most ${MAX_SLOWER}x`,
      ok: slower <= MAX_SLOWER,
    },
  ]
}

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
  await hasher.close()
  const ratio = median(ratios)
  return {
    goal: 'argon2id hashes a second against the bare library',
    figure: `${ratio.toFixed(2)}x`,
    limit: `at least ${MIN_RATIO}x`,
    ok: ratio >= MIN_RATIO,
  }
}

async function lasting(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
