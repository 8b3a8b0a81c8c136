/** The content of the database, as `plumbline doctor` finds it: a finding for each invariant that is broken or not known. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteInvariants } from '../adapters/sqlite/invariants.ts'
import type { Finding } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'
import { type Milliseconds, systemClock } from '../kernel/clock.ts'
import type { Invariant } from '../ports/invariants.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'

const WITHIN_MS: Milliseconds = 90_000

export const database: World = {
  async afterwards({ settings }) {
    const check = sqliteInvariants({ directory: settings.store.data_dir, clock: systemClock })
    return judgeInvariants(await check(AbortSignal.timeout(WITHIN_MS)))
  },
}

export function judgeInvariants(all: readonly Invariant[]): readonly Finding[] {
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
