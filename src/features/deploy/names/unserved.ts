/**
 * What can be told of names only when the proxy has the new routes: a new name that it loads and does not serve goes back to the
 * old one, which has kept its address until then; and an old one that waited for the new one to be served is taken away.
 */
import type { RejectedRoute } from '../../../core/answers.ts'
import type { Deployed } from '../../../core/deploy.ts'
import { mergeReports } from '../../../engine/converge.ts'
import type { RefusedRow } from '../../../model/plan.ts'
import type { Report } from '../../../model/report.ts'
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import { notServed } from '../../routes/loaded/rejected.ts'
import { loadedAfter } from '../stages/after-deploy.ts'
import type { Deps } from '../../routes/deps.ts'
import { isAsClosed, putBack } from './put-back.ts'
import { closeRenames, openRenames } from './renames.ts'

type OfNames = Pick<Deployed, 'renamed' | 'head' | 'progress' | 'about' | 'domain_ids'>

/** Those that went back, each with the reason. Nothing goes back that would open what was closed with the rename. */
export async function unservedBack(
  deps: Deps,
  { renamed = [], head, progress, about, domain_ids }: OfNames,
  rejected: readonly RejectedRoute[],
): Promise<readonly RefusedRow[]> {
  const refused = renamed.flatMap((rename) => {
    const faults = rejected.filter(({ domain_id }) => domain_id === rename.after.domain_id)
    const message = notServed(rename.after.fields.domain, faults)
    const why = { code: 'provider_refused', message, retry_after_ms: 0 } as const
    return faults.length === 0 ? [] : [{ rename, why }]
  })
  if (refused.length === 0 || head === null) return []
  const request_id = head.request_id
  const going = { renamed, refused, request_id, progress, mayGo: isAsClosed, is_unserved: true } as const
  const { is_back, said } = await putBack(deps, going)
  if (!is_back) return []
  const scope = { records: about === 'every' ? 'all' : domain_ids, progress } as const
  const reports = await deps.engine.converge('open', scope)
  const { loaded } = await loadedAfter(deps, { head: null, reports, may_go_back: false, progress: undefined })
  await leavingDone(deps, reports, { loaded, scope })
  return said
}

/**
 * What no call decides any more: it was cut off, or failed for another reason. The records that went back.
 * @param rejected all that the proxy does not serve of what it runs now
 */
export async function settleRenames(
  deps: Deps,
  head: ReleaseHead,
  rejected: readonly RejectedRoute[],
): Promise<ReadonlySet<number>> {
  const renamed = await openRenames(deps)
  if (renamed.length === 0) return new Set()
  const domain_ids = renamed.map(({ after }) => after.domain_id)
  const back = await unservedBack(deps, { renamed, head, domain_ids, progress: undefined }, rejected)
  await closeRenames(deps, renamed)
  return new Set(back.map(({ domain_id }) => domain_id))
}

interface AfterLoading {
  readonly loaded: boolean | null
  readonly scope: Parameters<Deps['engine']['converge']>[1]
}

/** Names that waited for the proxy to serve without them. The reports as they are then. */
export async function leavingDone(
  { engine }: Deps,
  reports: readonly Report[],
  { loaded, scope }: AfterLoading,
): Promise<readonly Report[]> {
  const keys = reports.filter(waits).map(({ key }) => key)
  if (loaded !== true || keys.length === 0) return reports
  const then = new Map(
    (await engine.converge('open', { ...scope, records: scope?.records ?? 'all', keys })).map((report) => [
      report.key,
      report,
    ]),
  )
  return reports.map((report) => {
    const later = then.get(report.key)
    return later === undefined ? report : mergeReports(report, later)
  })
}

const waits = ({ component, outcome, refusals }: Report): boolean =>
  component === 'dns' &&
  (outcome === 'left_unfinished' || refusals.some(({ unfinished }) => unfinished === true))
