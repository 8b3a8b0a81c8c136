/** A whole house beside a proxy that follows its routes file. */
import { type FakeTraefik, type FakeTraefikOptions, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'

export interface ProxyHouse extends Omit<TestHouse, 'reopen'> {
  readonly traefik: FakeTraefik
  /** What was seen of the proxy up to now is not told any more: a look is told for two seconds otherwise. */
  lookAnew(): Promise<void>
}

export async function openProxyHouse(
  options: TestHouseOptions & { readonly traefik?: FakeTraefikOptions } = {},
): Promise<ProxyHouse> {
  const traefik = await startFakeTraefik(options.traefik)
  const env = { PLUMBLINE_TRAEFIK_API: traefik.origin, ...options.env }
  const at = await openTestHouse({ ...options, env })
  traefik.follow(at.house.routes_path)
  return {
    ...at,
    traefik,
    lookAnew: async () => void (await at.call('GET', '/api/control-plane/health?probe=true')),
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await traefik.stop()
    },
  }
}

/**
 * A clock whose waits end at once, so that ten seconds of waiting for the proxy take none.
 * @param skips also for which other waits the time is moved on instead, by their length.
 */
export function hurriedClock(skips: (ms: number) => boolean = () => false) {
  let ahead_ms = 0
  let skipped_ms = 0
  return {
    now: () => Date.now() + skipped_ms,
    elapsed: () => performance.now() + ahead_ms + skipped_ms,
    sleep: (ms: number, signal?: AbortSignal): Promise<void> => {
      if (skips(ms)) {
        skipped_ms += ms
        return realSleep(1, signal)
      }
      // Only the steps between two questions are hurried: deadlines stay real.
      if (ms !== STEP_MS) return realSleep(ms, signal)
      ahead_ms += ms * HURRY
      return realSleep(1, signal)
    },
  }
}

const STEP_MS = 250
const HURRY = 8

function realSleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}
