/** Whether the proxy runs what was written for it and serves it, in the words of every drift. Pure. */
import type { DriftState, ExplainedDifference } from '../../../model/drift.ts'
import { ROUTES_KEY } from '../target/diff.ts'
import type { ProxyStatusAnswer } from '../views.ts'
import type { Rival } from '../rival-schema.ts'

export interface ProxyDrift {
  /** Null where that cannot be told; of a proxy whose API is not set, too. */
  readonly drift: DriftState
  /** Most urgent first. */
  readonly differences: readonly ExplainedDifference[]
}

export function proxyDrift({
  loaded,
  written,
  detail,
  rejected,
  shadowed,
  not_compared,
}: Pick<
  ProxyStatusAnswer,
  'loaded' | 'written' | 'detail' | 'rejected' | 'shadowed' | 'not_compared'
>): ProxyDrift {
  const differences = [
    ...(loaded === false ? [notRun(written, detail)] : []),
    ...(rejected ?? []).map(({ item, domain, detail: words }) => ({
      item,
      cause: 'rejected' as const,
      domains: [domain],
      detail: words,
    })),
    ...shadowed.map(shadowDifference),
  ]
  if (differences.length > 0) return { drift: true, differences }
  return { drift: loaded === null || not_compared !== null ? null : false, differences }
}

/** What was not written was our own write that failed, and no fault of the proxy's. */
const notRun = (written: boolean | null, detail: string | null): ExplainedDifference => ({
  item: ROUTES_KEY,
  cause: written === false ? 'rejected' : 'not_loaded',
  domains: [],
  detail: detail ?? 'It runs another routes file.',
})

const shadowDifference = ({ item, domains, detail }: Rival): ExplainedDifference => ({
  item,
  cause: 'shadowed',
  domains,
  detail,
})
