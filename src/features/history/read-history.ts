/** `GET /api/domains/{domain_id}/history`: buckets, and the percentage over them. */
import { isoTime } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { BUCKET_MS, totalsOf, uptimeOf } from './buckets.ts'
import type { Deps } from './deps.ts'

const AN_HOUR = 3_600_000 / BUCKET_MS

/** Throws `not_found`. @param hours up to 24 */
export async function readHistory({ store, clock, history }: Deps, domain_id: number, hours: number) {
  const row = (await store.intent('working')).rows.find((one) => one.domain_id === domain_id)
  if (row === undefined) throw new Failure('not_found', `There is no domain ${domain_id}.`)
  const buckets = history.read(domain_id, hours * AN_HOUR)
  const last = history.last(domain_id)
  const { looks_every_ms } = history
  return {
    domain_id,
    domain: row.fields.domain,
    of: 'probe' as const,
    at: isoTime(clock.now()),
    bucket_seconds: BUCKET_MS / 1000,
    looks_every_seconds: looks_every_ms === null ? null : looks_every_ms / 1000,
    uptime: uptimeOf(buckets),
    ...totalsOf(buckets),
    last: last === null ? null : { ...last, at: isoTime(last.at) },
    buckets: buckets.map((bucket) => ({ ...bucket, at: isoTime(bucket.at) })),
  }
}

export type HistoryAnswer = Awaited<ReturnType<typeof readHistory>>
