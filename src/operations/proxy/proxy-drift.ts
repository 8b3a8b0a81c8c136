/** Whether the proxy runs what was written for it and serves it, in the words of every drift. Pure. */
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { ProxyStatusAnswer } from './proxy-status.ts'
import type { Rival } from './shadow/shadows.ts'

export interface ProxyDrift {
  /** Null where that cannot be told; of a proxy whose API is not set, too. */
  readonly drift: DriftState
  /** Most urgent first. */
  readonly differences: readonly ExplainedDifference[]
}

export function proxyDrift({
  loaded,
  detail,
  shadowed,
}: Pick<ProxyStatusAnswer, 'loaded' | 'detail' | 'shadowed'>): ProxyDrift {
  const differences = shadowed.map(shadowDifference)
  if (loaded !== false)
    return { drift: differences.length > 0 ? true : loaded === null ? null : false, differences }
  return {
    drift: true,
    differences: [
      { item: 'routes', cause: 'not_loaded', domains: [], detail: detail ?? 'It runs another routes file.' },
      ...differences,
    ],
  }
}

const shadowDifference = ({ item, domains, detail }: Rival): ExplainedDifference => ({
  item,
  cause: 'shadowed',
  domains,
  detail,
})
