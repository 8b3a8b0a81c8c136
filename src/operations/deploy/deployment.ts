/** Bringing the world to a release and saying how that went. */
import type { Direction } from '../../engine/converge-scope.ts'
import type { ConvergeProgress } from '../../engine/progress.ts'
import { Failure } from '../../kernel/failure.ts'
import { firstOf } from '../../kernel/first-of.ts'
import { failureFor, type Report } from '../../model/report.ts'
import type { ReleaseHead } from '../../ports/store.ts'
import type { ComponentResult, DeploymentResult, PendingDomain } from '../answers.ts'
import type { Deps } from '../deps.ts'
import { remarksOnReleased } from '../sso/sign-in-remarks.ts'
import { loadedAfter } from './after-deploy.ts'
import { inTheWay } from './in-the-way.ts'
import { servedAfter } from './served-after.ts'

export interface Deployed {
  readonly message: string
  readonly domain_ids: readonly number[]
  readonly head: ReleaseHead | null
  readonly warnings: readonly string[]
  readonly direction: Direction
  /** Only these keys are. */
  readonly keys?: readonly string[]
  /** Only this component is brought to the release; all of them when it is left out. */
  readonly component?: string
  /** Also what no release concerns, such as the keys of a gateway. */
  readonly everything?: boolean
  /** The call is about every record, not only about those that change. */
  readonly whole?: true
  /** The call is about one record alone: it fails where the proxy does not serve that one. */
  readonly about_one?: boolean
  /** That of the call, so that whoever waits sees how it comes along. */
  readonly progress: ConvergeProgress | undefined
}

/**
 * Waits until every component shows the newest release, and the proxy runs it where that can be seen. Throws a Failure with
 * the component's own code when one would not take it; the release stands, and the reconciler goes on trying.
 */
export async function deployment(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const remarks = [
    ...firstOf(await dnsRemarks(deps, deployed.domain_ids)),
    ...firstOf(await remarksOnReleased(deps, deployed.domain_ids, NEVER)),
  ]
  const first = await convergeAll(deps, deployed).catch(async (error: unknown) => {
    throw await brokenOff(deps, deployed, error)
  })
  // What is to go must not wait for somebody to tidy up the disk.
  const again =
    deployed.direction === 'close' && first.failure?.code === 'storage_full' && deps.ballast.spend()
  const { components, failure, warnings } = again ? await convergeAll(deps, deployed) : first
  const release = deployed.head?.number ?? (await deps.store.latestRelease())?.number ?? 0
  if (failure !== null) throw withFacts(failure, { release, domain_ids: deployed.domain_ids, components })
  const { head } = deployed
  const may_go_back = deployed.direction === 'open'
  const { loaded, warnings: remarks_of_proxy } = await loadedAfter(deps, { head, components, may_go_back })
  const { whole = false, about_one = false, domain_ids } = deployed
  const served = may_go_back
    ? await servedAfter(deps, { loaded, whole, about_one, domain_ids })
    : { rejected: null, warnings: [], failure: null }
  if (served.failure !== null)
    throw withFacts(served.failure, {
      ...served.failure.details.facts,
      release,
      domain_ids: deployed.domain_ids,
      components,
    })
  const pending = await pendingDomains(deps)
  const way = may_go_back
    ? await inTheWay(deps, { loaded, whole, domain_ids })
    : { shadowed: null, warnings: [] }
  const told = [...deployed.warnings, ...remarks, ...warnings, ...remarks_of_proxy, ...served.warnings]
  return {
    success: (served.rejected ?? []).length + (way.shadowed ?? []).length === 0,
    message: deployed.message,
    release,
    domain_ids: deployed.domain_ids,
    components,
    loaded,
    rejected: served.rejected,
    shadowed: way.shadowed,
    pending,
    warnings: [...new Set([...told, ...firstOf(way.warnings, 'GET /api/drift')])],
  }
}

/** Nobody worked through to the end; what was committed stands all the same, and the answer has to say so. */
async function brokenOff(deps: Deps, { domain_ids, head }: Deployed, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure)) return error
  const release = head?.number ?? (await deps.store.latestRelease())?.number ?? 0
  const then = error.code === 'shutting_down' ? 'carried on at the next start' : 'tried again'
  const message = `${error.message} Release ${release} stands and is ${then}.`
  return new Failure(error.code, message, {
    ...error.details,
    facts: { ...error.details.facts, release, domain_ids },
    cause: error,
  })
}

/** Whoever deploys waits for the end of it; what is read has a limit of its own. */
const NEVER = new AbortController().signal

/** A zone that was made a moment ago is found before it is missed. */
async function dnsRemarks({ store, dns }: Deps, domain_ids: readonly number[]): Promise<readonly string[]> {
  const released = await store.intent('released')
  const ids = new Set(domain_ids)
  const theirs = { rows: released.rows.filter(({ domain_id }) => ids.has(domain_id)) }
  if (dns.homeless(theirs).length > 0) await dns.discovery.refresh()
  const [reported, owned] = [await store.reportedAddresses(), await store.ownedRrsets()]
  return dns.remarks(theirs, { domain_ids, reported, owned })
}

async function convergeAll(
  deps: Deps,
  { direction, head, component, keys, domain_ids, everything = false, whole, progress }: Deployed,
): Promise<{ components: ComponentResult[]; failure: Failure | null; warnings: readonly string[] }> {
  const named = { ...(component && { component }), ...(keys && { keys }) }
  const scope = { ...named, domain_ids, everything, ...(whole && { whole }), progress }
  const reports = await deps.engine.converge(direction, scope)
  const components = reports.map(componentResult)
  // A repair is recorded by its own pass, together with the journal; what is left is what was refused or true already.
  const others = reports.filter(({ outcome }) => outcome !== 'repaired')
  if (head !== null && others.length > 0) {
    const results = Object.fromEntries(others.map((report) => [report.key, report.outcome]))
    await deps.store.write((tx) => tx.recordResults(head.number, results))
  }
  return {
    components,
    failure: firstFailure(reports, domain_ids, whole === true),
    warnings: [...stillUnderWay(reports), ...firstOf(othersTrouble(reports, domain_ids), 'GET /api/drift')],
  }
}

/**
 * @param whole the call is about every record, so what went wrong for any of them went wrong for it; what only a person can
 * move out of the way is a warning still
 */
function firstFailure(
  reports: readonly Report[],
  domain_ids: readonly number[],
  whole: boolean,
): Failure | null {
  const bad = reports
    .map((report) => (whole && report.outcome === 'failed' ? report.failure : failureFor(report, domain_ids)))
    .find((failure) => failure !== null)
  if (bad === undefined) return null
  const { code, message, retry_after_ms } = bad
  const detail = `${message} The release stands and is tried again.`
  return new Failure(code, detail, retry_after_ms > 0 ? { retry_after_ms } : {})
}

const stillUnderWay = (reports: readonly Report[]): readonly string[] =>
  reports.flatMap(({ outcome, failure }) =>
    outcome === 'left_unfinished' && failure !== null ? [failure.message] : [],
  )

/** What was refused for records that this call is not about, and what stands beside ours. */
const othersTrouble = (reports: readonly Report[], domain_ids: readonly number[]): readonly string[] =>
  reports.flatMap(({ refusals }) =>
    refusals.flatMap(({ domain_ids: ids, failure, beside }) =>
      beside === true || (ids.length > 0 && !ids.some((id) => domain_ids.includes(id)))
        ? [failure.message]
        : [],
    ),
  )

const withFacts = (failure: Failure, facts: Readonly<Record<string, unknown>>): Failure =>
  new Failure(failure.code, failure.message, { ...failure.details, facts, cause: failure })

export async function pendingDomains(deps: Deps): Promise<PendingDomain[]> {
  const released = await deps.store.intent('released')
  return (await deps.engine.pendingRows()).map(({ domain_id, row }) => ({
    domain_id,
    domain: (row ?? released.rows.find((old) => old.domain_id === domain_id))?.fields.domain ?? '',
    revision: row?.revision ?? null,
  }))
}

const componentResult = (report: Report): ComponentResult => ({
  component: report.component,
  key: report.key,
  outcome: report.outcome,
  differences: report.differences,
  repaired: report.repaired,
  message: report.failure?.message ?? null,
  took_ms: Math.round(report.took_ms * 100) / 100,
})
