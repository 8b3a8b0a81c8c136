/** The content of the database, as `plumbline doctor` finds it: a finding for each invariant that is broken or not known. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteInvariants } from '../store/invariants.ts'
import type { Finding } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'
import { type Milliseconds, systemClock } from '../kernel/clock.ts'
import type { CheckInvariants, Invariant } from '../ports/invariants.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'

const WITHIN_MS: Milliseconds = 90_000

export const database: World = {
  afterwards: ({ settings }) =>
    lookWithin(sqliteInvariants({ directory: settings.store.data_dir, clock: systemClock }), WITHIN_MS),
}

/** What is not looked through in time is not known, which is not the same as sound. */
export async function lookWithin(check: CheckInvariants, max_ms: Milliseconds): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(max_ms)
  try {
    return evaluateInvariants(await check(signal))
  } catch (error) {
    if (!signal.aborted) throw error
    const detail = `was not looked through within ${max_ms / 1000} s`
    return [warning('database', detail, 'Look again when the disk has less to do.')]
  }
}

export function evaluateInvariants(all: readonly Invariant[]): readonly Finding[] {
  const others = all.filter(({ holds }) => holds !== true)
  if (others.length === 0) return [good('database', `all ${all.length} invariants hold`)]
  return others.map(({ name, holds, promise, detail }) =>
    holds === false
      ? bad(`database: ${name}`, detail ?? 'is broken', `The promise is: ${promise}`)
      : warning(`database: ${name}`, detail ?? 'is not known', 'Make the database readable.'),
  )
}

/** Without one there is nothing to ask: to open the API would make it. */
export const hasDatabase = async ({ settings }: LoadedConfig): Promise<boolean> =>
  (await stat(join(settings.store.data_dir, 'plumbline.db')).catch(() => null)) !== null
