/** Whether the proxy runs what was written for it and serves it, in the words of every drift. Pure. */
import type { DriftState, ExplainedDifference } from '../../../model/drift.ts'
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
  rejected,
  shadowed,
}: Pick<ProxyStatusAnswer, 'loaded' | 'detail' | 'rejected' | 'shadowed'>): ProxyDrift {
  const differences = [
    ...(loaded === false ? [notLoaded(detail)] : []),
    ...(rejected ?? []).map(({ item, domain, detail: words }) => ({
      item,
      cause: 'rejected' as const,
      domains: [domain],
      detail: words,
    })),
    ...shadowed.map(shadowDifference),
  ]
  if (differences.length > 0) return { drift: true, differences }
  return { drift: loaded === null ? null : false, differences }
}

const notLoaded = (detail: string | null): ExplainedDifference => ({
  item: 'routes',
  cause: 'not_loaded',
  domains: [],
  detail: detail ?? 'It runs another routes file.',
})

const shadowDifference = ({ item, domains, detail }: Rival): ExplainedDifference => ({
  item,
  cause: 'shadowed',
  domains,
  detail,
})
