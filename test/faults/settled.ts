/** Waiting for the engine, with a bound: the watcher and the timers under it are real. */
import type { Engine } from '../../src/engine/engine.ts'
import { isGood } from '../../src/model/report.ts'

const LOOK_EVERY_MS = 5

/** Resolves once every target has a good report; false when that did not come in time. */
export const untilGood = (engine: Engine, max_ms: number): Promise<boolean> =>
  until(() => saysAllIsWell(engine), max_ms)

/** A key that nobody has looked at yet says nothing. */
export function saysAllIsWell(engine: Engine): boolean {
  const reports = engine.lastReports()
  return reports.length === engine.keys().length && reports.every(isGood)
}

export async function until(holds: () => boolean, max_ms: number): Promise<boolean> {
  const end = performance.now() + max_ms
  while (!holds()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return true
}
