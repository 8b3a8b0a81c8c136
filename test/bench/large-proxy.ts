/** Reading a proxy with 10,000 domains: how long, with how much memory, and how long the event loop stands still for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createHttpClient } from '../../src/io/http-client/create-client.ts'
import { traefikApi } from '../../src/features/routes/traefik/traefik-api.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { ProxyWatch } from '../../src/features/routes/loaded/watch.ts'
import { GENERATION_MARK } from '../../src/features/routes/render/names.ts'
import { freed, median, ms, type Row } from './measure.ts'
import { standstill } from './standstill.ts'

const DOMAINS = 10_000
const ROUNDS = 7
const WARM_UP = 2
const MAX_DELAY_MS = 50
const MAX_MS = 2000
const MAX_MEMORY_MB = 100
const CHILD = fileURLToPath(new URL('children/large-traefik.ts', import.meta.url))
const NEVER = new AbortController().signal

interface Large {
  readonly origin: string
  readonly routers: number
}

export async function largeProxyRows(): Promise<Row[]> {
  const child = spawn(process.execPath, [CHILD, String(DOMAINS)], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    return await measured(JSON.parse(said.toString()) as Large)
  } finally {
    await ended(child)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function measured({ origin, routers }: Large): Promise<Row[]> {
  const http = createHttpClient({ clock: systemClock })
  const api = traefikApi({ url: origin, http, clock: systemClock })
  // As the house does: the lists, and the index that is made of them once.
  const watch = new ProxyWatch(api, { clock: systemClock, marker_prefix: GENERATION_MARK })
  const read = async () => {
    const snapshot = await api.snapshot(NEVER)
    await pause(0)
    return { snapshot, index: watch.routersOf(snapshot) }
  }
  const before = freed()
  try {
    for (let round = 0; round < WARM_UP; round++) await read()
    const [times, blocked]: [number[], number[]] = [[], []]
    let kept: unknown = null
    for (let round = 0; round < ROUNDS; round++) {
      freed()
      const still = standstill()
      const began = performance.now()
      kept = await read()
      times.push(performance.now() - began)
      blocked.push(still.end())
    }
    const held_mb = (freed() - before) / 1e6
    if (kept === null) throw new Error('nothing was read')
    return rowsOf({ routers, took_ms: median(times), blocked_ms: Math.max(...blocked), held_mb })
  } finally {
    await http.close()
  }
}

interface Figures {
  readonly routers: number
  readonly took_ms: number
  readonly blocked_ms: number
  readonly held_mb: number
}

const rowsOf = ({ routers, took_ms, blocked_ms, held_mb }: Figures): Row[] => [
  {
    goal: `whole look at a proxy with ${DOMAINS.toLocaleString('en')} domains (${routers.toLocaleString('en')} routers)`,
    figure: `${ms(took_ms)} ms, ${ms(held_mb)} MB kept`,
    limit: `under ${MAX_MS} ms and ${MAX_MEMORY_MB} MB`,
    ok: took_ms < MAX_MS && held_mb < MAX_MEMORY_MB,
  },
  {
    goal: 'the same: longest time that the event loop stands still',
    figure: `${ms(blocked_ms)} ms`,
    limit: `under ${MAX_DELAY_MS} ms`,
    ok: blocked_ms < MAX_DELAY_MS,
  },
]
