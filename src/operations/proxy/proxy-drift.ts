/** Whether the proxy runs what was written for it, in the words of every drift. Pure. */
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { ProxyStatusAnswer } from './proxy-status.ts'

export interface ProxyDrift {
  /** Null where that cannot be told; of a proxy whose API is not set, too. */
  readonly drift: DriftState
  readonly differences: readonly ExplainedDifference[]
}

export function proxyDrift({ loaded, detail }: Pick<ProxyStatusAnswer, 'loaded' | 'detail'>): ProxyDrift {
  if (loaded !== false) return { drift: loaded === null ? null : false, differences: [] }
  return {
    drift: true,
    differences: [
      { item: 'routes', cause: 'not_loaded', domains: [], detail: detail ?? 'It runs another routes file.' },
    ],
  }
}
