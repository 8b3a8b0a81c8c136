/** The database: it answers, a transaction could begin, there is room; and no outside write hangs between its two rows. */
import type { PartAdvice } from '../../core/finding.ts'
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { CheckStorage } from '../../ports/storage-check.ts'
import type { JournalStep } from '../../ports/store.ts'
import type { Deps } from './deps.ts'
import { type HealthCheck, healthy, impaired, type LookedAt, named, unknown } from '../../core/check.ts'

const EVERY_MS: Milliseconds = 30_000
/** A schema change copies the whole database first. */
const MIN_FREE_BYTES = 64 * 1024 * 1024

export const databaseCheck = (
  { store, ballast }: Pick<Deps, 'store' | 'ballast'>,
  checkStorage: CheckStorage,
): HealthCheck => ({
  name: 'database',
  kind: 'dependency',
  configured: true,
  every_ms: EVERY_MS,
  async look({ signal }) {
    // First: of files that are gone or cut, a query would only say that it failed.
    const { writable, detail, free_bytes } = await checkStorage(signal)
    const details = { free_bytes }
    if (writable === null)
      return unknown('unreachable', detail ?? 'It is not known to be writable.', { details })
    if (!writable) return impaired('not_writable', detail ?? 'It cannot be written.', { details })
    await store.domainCounts()
    ballast.keep()
    if (ballast.spent) return impaired('ballast_spent', BALLAST_SPENT, { details })
    if (free_bytes !== null && free_bytes < MIN_FREE_BYTES)
      return impaired('storage_low', `Only ${megabytes(free_bytes)} MB are free in the data directory.`, {
        details,
      })
    return healthy('It answers, and can be written.', { details })
  },
  advises: ({ cause }) => (cause !== null && SPACE_CAUSES.has(cause) ? FREE_SPACE : {}),
})

const BALLAST_SPENT =
  'The disk was full, and the room that was kept for removals is used up: the next one may be refused. Free space there.'

const SPACE_CAUSES: ReadonlySet<string> = new Set(['ballast_spent', 'storage_low'])
const FREE_SPACE: Partial<PartAdvice> = { remedy: 'Free space where the data directory lies.' }

const megabytes = (bytes: number): number => Math.floor(bytes / 1_000_000)

/** A step is open for as long as its write takes: no target has longer. */
const MAX_STEP_MS: Milliseconds = 15 * 60_000

export const journalCheck = ({ store, clock }: Pick<Deps, 'store' | 'clock'>): HealthCheck => ({
  name: 'journal',
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  async look() {
    const steps = await store.openSteps()
    const now = clock.now()
    const stuck = steps.filter(({ at }) => now - at > MAX_STEP_MS)
    const details = {
      open_steps: steps.length,
      oldest_at: steps.length === 0 ? null : isoTime(Math.min(...steps.map(({ at }) => at))),
    }
    if (stuck.length === 0) return healthy('Every outside write has its result.', { details })
    return stuckSteps(stuck, details)
  },
})

function stuckSteps(stuck: readonly JournalStep[], details: LookedAt['details']): LookedAt {
  const keys = [...new Set(stuck.map(({ key }) => key))]
  const message = `Whether what was begun for ${named(keys)} was done is not known. A restart finds out.`
  const differences = stuck.map(({ key, at }) => ({
    item: key,
    cause: 'open_step' as const,
    domains: [],
    detail: `begun at ${isoTime(at)}`,
  }))
  return impaired('open_step', message, { details, differences })
}
