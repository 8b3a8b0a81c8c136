/** Moves records between `active` and `error` as components refuse or take them. No revision moves: it is a verdict, not intent. */
import { isGood } from '../../model/report.ts'
import { nextStatus } from '../../model/lifecycle.ts'
import type { Deps } from '../deps.ts'

/** An accepted activation that a component would not take. */
export async function judgeRefused(deps: Deps, domain_id: number, reason: string): Promise<void> {
  await deps.store.write(async (tx) => {
    const record = await tx.domain(domain_id)
    if (record === null) return
    await tx.judgeDomain(domain_id, nextStatus(record.status, 'refused')!, reason)
  })
}

/** After a pass: once every component took the release, nothing is in error any more. */
export async function judgeRecovered(deps: Deps): Promise<void> {
  if (!deps.engine.lastReports().every(isGood)) return
  const { records } = await deps.store.domains({ status: 'error', sort: 'id', limit: 1000 })
  if (records.length === 0) return
  await deps.store.write(async (tx) => {
    for (const record of records)
      await tx.judgeDomain(record.id, nextStatus(record.status, 'recovered')!, null)
  })
  deps.log.info('records recovered', { count: records.length })
}
