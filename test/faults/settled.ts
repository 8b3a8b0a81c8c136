/** Waiting for the engine, with a bound: the watcher and the timers under it are real. */
import type { Engine } from '../../src/engine/engine.ts'
import { isGood } from '../../src/model/report.ts'

const LOOK_EVERY_MS = 5

/** Resolves once every target has a good report; false when that did not come in time. */
export const untilGood = (engine: Engine, most_ms: number): Promise<boolean> =>
  until(() => {
    const reports = engine.lastReports()
    return reports.length > 0 && reports.every(isGood)
  }, most_ms)

export async function until(holds: () => boolean, most_ms: number): Promise<boolean> {
  const end = performance.now() + most_ms
  while (!holds()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return true
}
