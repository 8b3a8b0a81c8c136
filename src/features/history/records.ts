/** The rows of the history, a quarter of an hour each. They mirror `schema/0024-probe-history.sql`. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { recordSet } from '../../ports/record-set.ts'

export interface HistoryRow {
  readonly started_at: Instant
  /** JSON: `[[domain id, ok, bad, unknown], …]`. */
  readonly counts: string
}

type Db = Kysely<{ probe_history: HistoryRow }>

const probeHistory = (db: Db, since: Instant): Promise<readonly HistoryRow[]> =>
  db.selectFrom('probe_history').selectAll().where('started_at', '>=', since).orderBy('started_at').execute()

async function saveProbeHistory(db: Db, { started_at, counts }: HistoryRow): Promise<void> {
  await db
    .insertInto('probe_history')
    .values({ started_at, counts })
    .onConflict((conflict) => conflict.column('started_at').doUpdateSet({ counts }))
    .execute()
}

async function forgetProbeHistory(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('probe_history').where('started_at', '<', before).execute()
}

export const historyRecords = recordSet({
  reads: { probeHistory },
  writes: { saveProbeHistory, forgetProbeHistory },
})
