/** The copies of days, each made and tried in a process of its own: copying and reading every page takes the event loop's time. */
import { resolve } from 'node:path'
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { DailyCopies } from '../ports/backups.ts'
import { describeNewestBackup } from './files/backups.ts'
import { readMarker } from './files/installation.ts'
import { SharedLook } from './invariants/shared-look.ts'

/** Copying and reading several gigabytes takes less. */
const MAX_MS: Milliseconds = 15 * 60_000

export interface DailyCopiesOptions {
  /** The data directory, which holds `plumbline.db`. */
  readonly directory: string
  readonly clock: Clock
  /** How many of them. */
  readonly kept: number
}

const since = (directory: string): Instant | null => readMarker(directory)?.created_at ?? null

export const sqliteDailyCopies = ({ directory, clock, kept }: DailyCopiesOptions): DailyCopies => ({
  newest: () => describeNewestBackup(directory, { of: 'daily', until: clock.now(), from: since(directory) }),
  since: () => since(directory),
  async make(signal) {
    signal.throwIfAborted()
    const order = { directory: resolve(directory), options: { now: clock.now(), without: [] }, kept }
    const look = new SharedLook(order, { max_ms: MAX_MS, finish: (looked) => looked })
    const wrong = (await look.join(signal)).filter(({ holds }) => holds !== true)
    const [first] = wrong.toSorted((a, b) => Number(b.holds === false) - Number(a.holds === false))
    if (first === undefined) return
    const { name, holds, detail } = first
    if (holds === null) throw new Failure('store_unavailable', detail ?? `${name} is not known.`)
    throw new Failure('database_corrupt', `A copy of the database is not sound: ${name}: ${detail ?? ''}`)
  },
})
