/** Open troubles as a gauge, by kind: counted when somebody reads it, whether or not anybody else is told. */
import type { Metrics } from '../../kernel/metrics.ts'
import { TROUBLE_KINDS } from '../../model/trouble.ts'
import type { Notifications } from './notifications.ts'
import { openTroubles } from './read.ts'

export async function measureTroubles(
  notifications: Pick<Notifications, 'parts' | 'watch'>,
  metrics: Metrics,
): Promise<void> {
  const open = await openTroubles(notifications, new AbortController().signal)
  for (const kind of TROUBLE_KINDS)
    metrics.gauge('plumbline_open_troubles', open.filter((trouble) => trouble.kind === kind).length, { kind })
}
