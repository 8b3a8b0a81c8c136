/** Open troubles as a gauge, by kind: counted when somebody reads it, whether or not anybody else is told. */
import type { Metrics } from '../../kernel/metrics.ts'
import { ALERT_KINDS } from '../../model/alert.ts'
import type { Notifications } from './notifications.ts'
import { openAlerts } from './read.ts'

export async function measureAlerts(
  notifications: Pick<Notifications, 'parts' | 'watch'>,
  metrics: Metrics,
): Promise<void> {
  const open = await openAlerts(notifications, new AbortController().signal)
  for (const kind of ALERT_KINDS)
    metrics.gauge('plumbline_open_troubles', open.filter((alert) => alert.kind === kind).length, { kind })
}
