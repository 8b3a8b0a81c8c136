/** A controller with 10,000 clients: what a list of all of them costs, how long it holds the event loop, and a crowd that asks at once. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Asked, Asking } from './children/unifi-world.ts'
import { ms, type Row } from './measure.ts'
import { standstill } from './standstill.ts'

const CLIENTS = 10_000
const ASKED = 40
const CROWD = 100
const MAX_P95_MS = 120
const MAX_HELD_MS = 50
/** A look is kept for less. */
const LATER_MS = 16_000

export async function networkRows(): Promise<Row[]> {
  const child = fork(join(import.meta.dirname, 'children/unifi-world.ts'), [String(CLIENTS)])
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  try {
    const [base] = (await once(child, 'message')) as [string]
    const env = {
      PLUMBLINE_DATA_DIR: directory,
      PLUMBLINE_LISTEN: '127.0.0.1:0',
      PLUMBLINE_UNIFI_URL: `home=${base}`,
      PLUMBLINE_UNIFI_API_KEY: 'a-key-of-this-bench',
      // A crowd comes through a proxy: one network alone has 64 connections, and every further one is let go.
      PLUMBLINE_TRUSTED_PROXIES: '127.0.0.1',
      PLUMBLINE_PROXY_SECRET: 'a-secret-between-the-two-of-us-01',
    }
    const house = await buildDaemon(loadConfig(env), { log: silentLog })
    try {
      const url = `${await house.open()}/companions/network/api/clients`
      const asked = async (asking: Omit<Asking, 'url' | 'key'>): Promise<Measured> => {
        const held = standstill()
        child.send({ url, key: house.key.reveal(), ...asking } satisfies Asking)
        const [answer] = (await once(child, 'message')) as [Asked]
        return { ...answer, held_ms: held.end() }
      }
      return await measured(asked)
    } finally {
      await house.close()
    }
  } finally {
    child.disconnect()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Measured extends Asked {
  readonly held_ms: number
}

async function measured(asked: (asking: Omit<Asking, 'url' | 'key'>) => Promise<Measured>): Promise<Row[]> {
  // What is compiled on the way is not of the list.
  await asked({ times: 2, at_once: 1 })
  await setTimeout(LATER_MS)
  const first = await asked({ times: 1, at_once: 1 })
  const kept = await asked({ times: ASKED, at_once: 1 })
  await setTimeout(LATER_MS)
  const crowd = await asked({ times: CROWD, at_once: CROWD })
  const p95 = kept.times_ms.toSorted((a, b) => a - b)[Math.ceil(ASKED * 0.95) - 1]!
  const clients = `${CLIENTS.toLocaleString('en')} clients`
  const looks = crowd.looks - kept.looks
  return [
    row(
      `a list of ${clients}, p95 of ${ASKED}`,
      `${ms(p95)} ms`,
      `at most ${MAX_P95_MS} ms`,
      p95 <= MAX_P95_MS,
    ),
    row(
      'the event loop held by the first of them, which looks',
      `${ms(first.held_ms)} ms (answered after ${ms(first.times_ms[0]!)} ms)`,
      `at most ${MAX_HELD_MS} ms`,
      first.held_ms <= MAX_HELD_MS,
    ),
    row(
      'the event loop held by the others',
      `${ms(kept.held_ms)} ms`,
      `at most ${MAX_HELD_MS} ms`,
      kept.held_ms <= MAX_HELD_MS,
    ),
    row(
      `${CROWD} callers of ${clients} at once: looks, and answers that failed`,
      `${looks}, ${crowd.faults.length}${crowd.faults.length > 0 ? ` (${[...new Set(crowd.faults)].join()})` : ''}; the loop held ${ms(crowd.held_ms)} ms`,
      '1 and 0',
      looks === 1 && crowd.faults.length === 0,
    ),
  ]
}

const row = (goal: string, figure: string, limit: string, ok: boolean): Row => ({ goal, figure, limit, ok })
