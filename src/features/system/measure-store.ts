/** Gauges that are only worth finding out when somebody reads them. */
import type { Metrics } from '../../kernel/metrics.ts'
import { STATUSES } from '../../model/domain/record.ts'
import type { StoreReader } from '../../ports/store.ts'

export async function measureStore(store: StoreReader, metrics: Metrics): Promise<void> {
  metrics.gauge('plumbline_journal_open_steps', (await store.openSteps()).length)
  const counts = await store.domainCounts()
  for (const status of STATUSES) {
    const records = counts.filter((entry) => entry.status === status)
    metrics.gauge(
      'plumbline_domains',
      records.reduce((sum, { count }) => sum + count, 0),
      { status },
    )
  }
}
