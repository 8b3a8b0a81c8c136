/** A house that invites many people at once, in a process that has done nothing else. Prints what that cost as one line of JSON. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Daemon } from '../../../src/build-daemon.ts'
import type { Invited } from '../people.ts'

// As the daemon begins.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/plumbline', import.meta.url)))
const { loadConfig } = await import('../../../src/settings-wiring.ts')
const { buildDaemon } = await import('../../../src/build-daemon.ts')
const { silentLog } = await import('../../../src/kernel/log.ts')
const { clientOf } = await import('../../flows/client.ts')

/** Before and again after: others on the machine come and go. */
const IDLE_READS = 1000
const invited = Number(process.argv[2])
const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
const file = join(directory, 'small')
writeFileSync(file, 'x'.repeat(4096))
const users = join(directory, 'users.yml')
writeFileSync(users, 'users: {}\n')
const env = {
  PLUMBLINE_DATA_DIR: join(directory, 'data'),
  PLUMBLINE_LISTEN: '127.0.0.1:0',
  PLUMBLINE_DNS_PROVIDER: 'none',
  PLUMBLINE_SSO_USERS_FILE: users,
  PLUMBLINE_SSO_USERS_RELOAD: 'none',
}
const house = await buildDaemon(loadConfig(env), { log: silentLog })
try {
  const before_ms = await readsUntil((count) => count < IDLE_READS)
  const idle_bytes = process.memoryUsage.rss()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let busy = true
  delay.enable()
  const reading = readsUntil(() => busy)
  const began = performance.now()
  await invite(house, invited)
  const took_ms = performance.now() - began
  busy = false
  delay.disable()
  const after_ms = await readsUntil((count) => count < IDLE_READS)
  const figures: Invited = {
    took_ms,
    delay_ms: delay.percentile(99) / 1e6,
    idle_mb: idle_bytes / 1e6,
    peak_mb: (process.resourceUsage().maxRSS * 1024) / 1e6,
    slower: p95(await reading) / p95([...before_ms, ...after_ms]),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await house.close()
  rmSync(directory, { recursive: true, force: true })
}

async function invite(into: Daemon, count: number): Promise<void> {
  const call = clientOf(into)
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      call('POST', '/api/users/invite', {
        body: { display_name: `Person ${String.fromCharCode(97 + (i % 26))}`, email: `p${i}@example.net` },
      }),
    ),
  )
  const failed = answers.find(({ status }) => status !== 201)
  if (failed !== undefined) throw new Error(`${failed.status}: ${JSON.stringify(failed.body)}`)
}

/** Milliseconds of each read, one after the other with a pause between. */
async function readsUntil(goOn: (count: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (goOn(times.length)) {
    const began = performance.now()
    await readFile(file)
    times.push(performance.now() - began)
    await pause(1)
  }
  return times
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!
}
