/** Watchers elsewhere that call in, and are missed when they fall silent. */
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import { heartbeatFindings, heartbeatsCheck } from './checks.ts'
import { heartbeatEndpoints } from './endpoints.ts'
import { heartbeatsOf } from './heartbeats.ts'
import type { heartbeats as section } from './settings.ts'

export function heartbeatsFeature(settings: ValuesOf<typeof section>, core: Core): Feature {
  const heartbeats = heartbeatsOf(core, settings.silent_after_ms)
  return {
    name: 'heartbeats',
    endpoints: heartbeatEndpoints(heartbeats),
    checks: [heartbeatsCheck(heartbeats)],
    findings: heartbeatFindings(heartbeats),
    lifecycles: [heartbeats.watch],
  }
}
