/** `GET /api/system`: the process itself, what it repeats and when, and the copies of its database. By what is known. */
import { performance } from 'node:perf_hooks'
import { type Instant, isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { KeyStatus } from '../../engine/status/key-status.ts'
import type { HealthComponent } from '../../model/health.ts'
import type { HealthService } from '../health/service.ts'
import type { Deps } from './deps.ts'
import type { SystemParts } from './endpoints.ts'

export interface SystemDeps extends Pick<Deps, 'clock' | 'engine' | 'store'> {
  readonly health: Pick<HealthService, 'watched'>
}

export async function readSystem(
  deps: SystemDeps,
  {
    version,
    uptime,
    newestBackup,
    copying,
  }: Pick<SystemParts, 'version' | 'uptime' | 'newestBackup' | 'copying'>,
) {
  const delay_ms = await loopDelay()
  const now = deps.clock.now()
  const uptime_seconds = uptime()
  return {
    at: isoTime(now),
    version,
    node: process.versions.node,
    pid: process.pid,
    started_at: isoTime(now - uptime_seconds * 1000),
    uptime_seconds: Math.round(uptime_seconds * 1000) / 1000,
    memory_bytes: process.memoryUsage.rss(),
    event_loop: {
      delay_ms,
      utilization: Math.round(performance.eventLoopUtilization().utilization * 1000) / 1000,
    },
    loops: await loopsOf(deps),
    backups: { newest: timed(newestBackup()), restore_tested: timed(copying.lastTrial()) },
  }
}

const timed = <T extends { readonly at: Instant }>(known: T | null) =>
  known === null ? null : { ...known, at: isoTime(known.at) }

/** Keys that are kept true, then what is watched. */
async function loopsOf({ engine, store, health, clock }: SystemDeps) {
  const attempts = new Map((await store.attempts()).map((attempt) => [attempt.key, attempt]))
  const kept = engine
    .statuses(null)
    .map((status) => keptLoop(status, attempts.get(status.key)?.failures ?? 0))
  const names = new Set(kept.map(({ name }) => name))
  const watched = health
    .watched(clock.now())
    .map(({ part }) => part)
    .filter(({ name, configured }) => configured && !names.has(name))
    .map(watchedLoop)
  return [...kept, ...watched]
}

const keptLoop = (
  { key, component, ok, drift, message, seen_at, next_attempt_at }: KeyStatus,
  failures: number,
) => ({
  name: key,
  component,
  kind: 'kept' as const,
  ok: drift === null ? null : ok,
  message,
  last_run_at: isoTimeOrNull(seen_at),
  next_run_at: isoTimeOrNull(next_attempt_at),
  failures,
})

const watchedLoop = ({
  name,
  component,
  ok,
  drift,
  message,
  observed_at,
  next_attempt_at,
}: HealthComponent) => ({
  name,
  component,
  kind: 'watched' as const,
  ok: drift === null ? null : ok,
  message,
  last_run_at: isoTimeOrNull(observed_at),
  next_run_at: isoTimeOrNull(next_attempt_at),
  failures: null,
})

const SAMPLES = 5
const SAMPLE_MS = 4

/**
 * By how much timers come late just now, in milliseconds: the worst of a few. Measured for the answer, since a monitor that
 * runs all the time would wake an idle process a hundred times a second.
 */
async function loopDelay(): Promise<number> {
  let worst_ms = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const began_ms = performance.now()
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    worst_ms = Math.max(worst_ms, performance.now() - began_ms - SAMPLE_MS)
  }
  return Math.round(worst_ms * 10) / 10
}
