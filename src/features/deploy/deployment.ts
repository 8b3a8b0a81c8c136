/** Bringing the world to a release and saying how that went. */
import type { CoreParts } from '../../core/parts.ts'
import { LOAD_UNKNOWN, type Deployed, pendingDomains, withUnfinished } from '../../core/deploy.ts'
import { together } from '../../engine/converge.ts'
import { Failure } from '../../kernel/failure.ts'
import { firstOf } from '../../kernel/async/first-of.ts'
import type { RefusedRow } from '../../model/plan.ts'
import { failureFor, figuresFor, isGood, type Report, reportFor } from '../../model/report.ts'
import type { ComponentResult, DeploymentResult, UnfinishedPart } from '../../core/answers.ts'
import { carryOutActivation } from './activation.ts'
import type { Deps } from './deps.ts'
import { eachWarning, liveFields, recordWarnings } from '../../core/commit/warnings.ts'
import { loadedAfter } from './after-deploy.ts'
import { inTheWay } from './in-the-way.ts'
import { markAllRefused } from './record-status.ts'
import { outcomeOf } from './outcome.ts'
import { type Taken, takeNames, wentBack } from './renames.ts'
import { servedAfter } from './served-after.ts'

/** Is the port `Deploy` of the core. */
export function deployment(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const { activates } = deployed
  return activates === undefined
    ? undisturbed(deps, deployed)
    : carryOutActivation(deps, activates, () => undisturbed(deps, deployed))
}

async function undisturbed(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const { domain_ids, whole = false } = deployed
  const letGo = deps.engine.hold(whole ? 'all' : domain_ids)
  try {
    return await carriedOut(deps, deployed)
  } finally {
    letGo()
  }
}

const NO_NAMES: Taken = { back: [], reports: new Map() }

async function carriedOut(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const { head, direction, renamed = [], whole = false, progress } = deployed
  const hook_warnings = await eachWarning(deps.hooks(), (one) => one.deployed?.(deployed.domain_ids))
  const taken =
    head === null || renamed.length === 0
      ? NO_NAMES
      : await takeNames(deps, { renamed, request_id: head.request_id, progress })
  const { back } = taken
  const passes = await converged(deps, deployed)
  const reports = passes.map((report) => together(taken.reports.get(report.key) ?? null, report))
  const { domain_ids, about_one = false } = deployed
  const components = reports.map((report) => componentResult(report, whole ? null : domain_ids))
  await keepResults(deps, deployed, { passes, components, taken }).catch(async (error: unknown) => {
    throw await brokenOff(deps, deployed, error)
  })
  const fails = about_one || deployed.component !== undefined || deployed.fails === true
  const names = await namesOf(deps)
  const scope = { direction, domain_ids, whole, fails, was_free: about_one, names }
  const idle = new Set(
    direction === 'close' ? await eachWarning(deps.hooks(), (one) => one.idle?.(domain_ids)) : [],
  )
  const { failure, refused, unfinished } = outcomeOf(
    reports.filter(({ key }) => !idle.has(key)),
    scope,
  )
  const release = head?.number ?? (await deps.store.latestRelease())?.number ?? 0
  const facts = { release, domain_ids, components }
  if (failure !== null) throw withFacts(failure, facts)
  if (about_one && back[0] !== undefined) throw withFacts(wentBack(back[0]), facts)
  if (refused.length > 0)
    await markAllRefused(deps, new Map(refused.map(({ domain_id, message }) => [domain_id, message])))
  const may_go_back = direction === 'open'
  const after_proxy = await loadedAfter(deps, { head, reports, may_go_back })
  const { loaded, written, asked, warnings: proxy_warnings } = after_proxy
  const served = may_go_back
    ? await servedAfter(deps, { loaded, whole, about_one, domain_ids })
    : { rejected: null, warnings: [], failure: null }
  if (served.failure !== null) throw withFacts(served.failure, { ...served.failure.details.facts, ...facts })
  const pending = await pendingDomains(deps)
  const way = may_go_back
    ? await inTheWay(deps, { loaded, whole, domain_ids })
    : { shadowed: null, warnings: [] }
  const warnings = [
    ...deployed.warnings,
    ...hook_warnings,
    ...(may_go_back ? await warningsOnRecords(deps, whole ? null : domain_ids) : []),
    ...stillUnderWay(reports),
    ...unfinished.map(({ message }) => `${message} It is tried again.`),
    ...firstOf(warningsOn(reports, whole ? null : domain_ids), 'GET /api/drift'),
    ...proxy_warnings,
    ...served.warnings,
    ...firstOf(way.warnings, 'GET /api/drift'),
  ]
  const not_done = eachOnce([...(deployed.refused ?? []), ...back, ...refused])
  const may_be_served = (deployed.unless_loaded?.not_loaded ?? deployed.message) !== deployed.message
  const open_parts = [...unfinished, ...(loaded === false && may_be_served ? [NOT_LOADED] : [])]
  const domain = about_one ? names.get(domain_ids[0] ?? 0) : undefined
  const head_line = headline(deployed, {
    loaded: written === false ? 'not_written' : (loaded ?? (asked ? 'not_known' : 'not_asked')),
    domain,
    refused: not_done,
  })
  const after = (await deployed.saidAfter?.(components)) ?? { words: '', warnings: [] }
  const bad = [not_done, open_parts, served.rejected ?? [], way.shadowed ?? []]
  return {
    success: bad.every((list) => list.length === 0),
    message: withUnfinished(`${head_line.replace(/\.$/, '')}${after.words}.`, open_parts),
    release,
    domain_ids,
    components,
    loaded,
    rejected: served.rejected,
    shadowed: way.shadowed,
    pending,
    refused: not_done,
    unfinished: open_parts,
    warnings: [...new Set([...warnings, ...after.warnings])],
  }
}

/** Of a call that takes a route away. */
const NOT_LOADED: UnfinishedPart = {
  component: 'routes',
  key: 'routes',
  code: 'component_unavailable',
  message: 'The proxy has not loaded the routes file and goes on serving what it had before.',
}

interface CameTo {
  readonly loaded: boolean | 'not_written' | 'not_known' | 'not_asked'
  /** The record that the call is about alone. */
  readonly domain: string | undefined
  readonly refused: readonly RefusedRow[]
}

/** Nobody is served what the proxy has not loaded, and where it does not answer nobody knows, so that is not called deployed, active, exposed or removed: it serves what it did before. */
function headline(deployed: Deployed, { loaded, domain, refused }: CameTo): string {
  const { direction, message, unless_loaded } = deployed
  const is_unknown = loaded === 'not_known'
  if (direction === 'close') {
    if (loaded === false || loaded === 'not_written') return unless_loaded?.not_loaded ?? message
    return is_unknown ? (unless_loaded?.not_known ?? message) : message
  }
  const done = domain === undefined ? withCount(deployed, refused) : message
  if (is_unknown) return `${done.replace(/\.$/, '')}; ${LOAD_UNKNOWN}.`
  if (loaded === 'not_written')
    return `${done.replace(/\.$/, '')}; the routes file is not written: see the warnings.`
  if (loaded !== false) return done
  return domain === undefined
    ? `${done.replace(/\.$/, '')}; the proxy has not loaded it: see the warnings.`
    : `${domain} is saved and written, and the proxy has not loaded it: it goes on with what it had before. See the warnings.`
}

/** Whether they were refused before the release or by the world. */
function withCount({ message, counts, domain_ids }: Deployed, refused: readonly RefusedRow[]): string {
  const not_done = new Set(refused.map(({ domain_id }) => domain_id))
  const changed = domain_ids.filter((id) => !not_done.has(id)).length
  const counted = counts === true ? `${message}; ${changed} changed.` : message
  if (refused.length === 0) return counted
  return `${counted} ${refused.length === 1 ? `${refused[0]!.domain} was` : `${refused.length} were`} refused.`
}

/** A name that went back is refused by its zone as well: a domain is told of once, by its first reason. */
const eachOnce = (rows: readonly RefusedRow[]): readonly RefusedRow[] =>
  [...new Map(rows.toReversed().map((row) => [row.domain_id, row])).values()].toReversed()

/** What is to go must not wait for somebody to tidy up the disk. */
async function converged(deps: Deps, deployed: Deployed): Promise<readonly Report[]> {
  const work = () =>
    convergeAll(deps, deployed).catch(async (error: unknown) => {
      throw await brokenOff(deps, deployed, error)
    })
  const reports = await work()
  const is_full = reports.some(({ failure }) => failure?.code === 'storage_full')
  return deployed.direction === 'close' && is_full && deps.ballast.spend() ? work() : reports
}

async function namesOf({ store }: CoreParts): Promise<ReadonlyMap<number, string>> {
  const { rows } = await store.intent('released')
  return new Map(rows.map(({ domain_id, fields }) => [domain_id, fields.domain]))
}

/** Nobody worked through to the end; what was committed stands all the same, and the answer has to say so. */
async function brokenOff(deps: CoreParts, { domain_ids, head }: Deployed, error: unknown): Promise<unknown> {
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

/** Asked when all is done: a restart of the SSO provider may have been a part of that. @param domain_ids null for all */
async function warningsOnRecords(
  deps: CoreParts,
  domain_ids: readonly number[] | null,
): Promise<readonly string[]> {
  const { rows } = await deps.store.intent('released')
  return recordWarnings(
    deps,
    liveFields(rows.filter(({ domain_id }) => domain_ids?.includes(domain_id) ?? true)),
  )
}

async function convergeAll(
  deps: CoreParts,
  { direction, component, except, keys, domain_ids, everything = false, whole, progress }: Deployed,
): Promise<readonly Report[]> {
  const named = { ...(component && { component }), ...(except && { except }), ...(keys && { keys }) }
  const scope = { ...named, records: whole ? 'all' : domain_ids, everything, progress } as const
  return deps.engine.converge(direction, scope)
}

interface Results {
  readonly passes: readonly Report[]
  /** As the call is told of them: what was refused to a neighbour is no result of its release. */
  readonly components: readonly ComponentResult[]
  readonly taken: Taken
}

/** A repair is recorded by its own pass, together with the journal; what is left is what was refused or true already. */
async function keepResults(
  { store }: CoreParts,
  { head, domain_ids, whole }: Deployed,
  { passes, components, taken }: Results,
): Promise<void> {
  if (head === null) return
  const recorded = new Set(passes.flatMap(({ key, outcome }) => (outcome === 'repaired' ? [key] : [])))
  const reported = components.filter(({ key, outcome }) => outcome !== 'repaired' || !recorded.has(key))
  // What came after a name went back is the result of the release that took it back.
  const refused = taken.back.length === 0 ? [] : [...taken.reports.values()]
  const results = Object.fromEntries([
    ...reported.map(({ key, outcome }) => [key, outcome]),
    ...refused.map((report) => [report.key, reportFor(report, whole === true ? 'all' : domain_ids).outcome]),
  ])
  if (Object.keys(results).length > 0) await store.write((tx) => tx.recordResults(head.number, results))
}

const stillUnderWay = (reports: readonly Report[]): readonly string[] =>
  reports.flatMap(({ outcome, failure }) =>
    outcome === 'left_unfinished' && failure !== null ? [failure.message] : [],
  )

/**
 * What is no failure of the call and whoever calls should know: what stands beside ours, and that a component that is
 * written as one refuses somebody's part, and with it everybody's. @param domain_ids those of the call; null for all
 */
const warningsOn = (reports: readonly Report[], domain_ids: readonly number[] | null): readonly string[] =>
  reports.flatMap(({ component, key, refusals }) =>
    refusals.flatMap(({ domain_ids: ids, failure, beside }) => {
      const is_theirs = domain_ids === null || ids.some((id) => domain_ids.includes(id))
      return (beside === true ? is_theirs : !is_theirs && key === component) ? [failure.message] : []
    }),
  )

const withFacts = (failure: Failure, facts: Readonly<Record<string, unknown>>): Failure =>
  new Failure(failure.code, failure.message, { ...failure.details, facts, cause: failure })

/** @param domain_ids those that the call is about; null for all. What was repaired or refused to others is no outcome of it. */
function componentResult(report: Report, domain_ids: readonly number[] | null): ComponentResult {
  const { component, key, failure } = report
  const is_others =
    domain_ids !== null && report.refusals.length > 0 && failureFor(report, domain_ids) === null
  const figures = figuresFor(report, domain_ids ?? 'all')
  const done = figures.repaired > 0 ? 'repaired' : 'clean'
  return {
    component,
    key,
    outcome: is_others || isGood(report) ? done : report.outcome,
    ...figures,
    message: is_others ? null : (failure?.message ?? null),
    took_ms: Math.round(report.took_ms * 100) / 100,
  }
}
