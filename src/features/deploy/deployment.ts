/** Bringing the world to a release and saying how that went. */
import type { CoreParts } from '../../core/parts.ts'
import { type Deployed, pendingDomains, withUnfinished } from '../../core/deploy.ts'
import { together } from '../../engine/converge.ts'
import { Failure } from '../../kernel/failure.ts'
import { firstOf } from '../../kernel/async/first-of.ts'
import type { RefusedRow } from '../../model/plan.ts'
import { failureFor, figuresFor, isGood, type Report, reportFor } from '../../model/report.ts'
import type { ComponentResult, DeploymentResult } from '../../core/answers.ts'
import { carryOutActivation } from './activation.ts'
import type { Deps } from './deps.ts'
import { eachWarning, liveFields, recordWarnings } from '../../core/commit/warnings.ts'
import { loadedAfter } from './after-deploy.ts'
import { comingWords, headline, NOT_LOADED, openWords, undoneOfOthers } from './outcome-words.ts'
import { inTheWay } from './in-the-way.ts'
import { markAllRefused } from './record-status.ts'
import { outcomeOf, triedInVain } from './outcome.ts'
import { isProvenLater, provenAfter } from './proven-after.ts'
import { closeRenames, type Taken, takeNames, wentBack } from './names/renames.ts'
import { leavingDone, unservedBack } from './names/unserved.ts'
import { PROOF_KEY } from '../sso/proof/target.ts'
import { notServedRows, servedAfter } from './served-after.ts'

/** Is the port `Deploy` of the core. */
export function deployment(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const { activates } = deployed
  if (activates === undefined) return undisturbed(deps, deployed)
  const of_name = openNames(deps, deployed).has(activates)
  return carryOutActivation(deps, { domain_id: activates, of_name }, () => undisturbed(deps, deployed))
}

/** Records whose new name the proxy is to serve first: which of two names they have is not decided before. */
const openNames = (
  { proxy }: Pick<Deps, 'proxy'>,
  { renamed = [] }: Pick<Deployed, 'renamed'>,
): ReadonlySet<number> => new Set(proxy.watch === null ? [] : renamed.map(({ after }) => after.domain_id))

async function undisturbed(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const { domain_ids, whole = false } = deployed
  const letGo = deps.engine.hold(whole ? 'all' : domain_ids)
  try {
    return await carriedOut(deps, deployed)
  } catch (error) {
    // Whether the proxy took it, nobody waits for.
    if (deployed.head !== null) deps.decisions.leave(deployed.head)
    throw error
  } finally {
    letGo()
  }
}

const NO_NAMES: Taken = { back: [], reports: new Map() }

async function carriedOut(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const { head, direction, renamed = [], whole = false, progress } = deployed
  const hook_warnings = await eachWarning(deps.hooks(), deployed.domain_ids.length, (one) =>
    one.deployed?.(deployed.domain_ids),
  )
  const open = openNames(deps, deployed)
  const until_served = open.size > 0
  const taken =
    head === null || renamed.length === 0
      ? NO_NAMES
      : await takeNames(deps, { renamed, request_id: head.request_id, progress, until_served })
  const { back } = taken
  const passes = await converged(deps, deployed)
  const first = passes.map((report) => together(taken.reports.get(report.key) ?? null, report))
  const { domain_ids, about_one = false, repairs = false } = deployed
  const of_call = whole ? null : domain_ids
  const componentsOf = (reports: readonly Report[]) =>
    reports.map((report) => componentResult(report, of_call))
  await keepResults(deps, deployed, { passes, components: componentsOf(first), taken }).catch(
    async (error: unknown) => {
      throw await brokenOff(deps, deployed, error)
    },
  )
  const fails = about_one || deployed.component !== undefined || deployed.fails === true
  const names = await namesOf(deps)
  const releases = head !== null
  const scope = { direction, domain_ids, whole, fails, releases, was_free: about_one, names, repairs }
  const idle = new Set(
    direction === 'close'
      ? await eachWarning(deps.hooks(), domain_ids.length, (one) => one.idle?.(domain_ids))
      : [],
  )
  const outcome = (reports: readonly Report[]) =>
    outcomeOf(
      reports.filter(({ key }) => !idle.has(key)),
      scope,
    )
  const { failure } = outcome(first)
  const release = head?.number ?? (await deps.store.latestRelease())?.number ?? 0
  const facts = { release, domain_ids, components: componentsOf(first) }
  const is_opening = direction === 'open'
  if (is_opening) await marked(deps, triedInVain(first, scope), { back, open })
  if (failure !== null) throw withFacts(failure, facts)
  if (about_one && back[0] !== undefined) throw withFacts(wentBack(back[0]), facts)
  const after_proxy = await loadedAfter(deps, { head, reports: first, may_go_back: is_opening, progress })
  const { loaded, written, asked, warnings: proxy_warnings } = after_proxy
  const served = is_opening
    ? await servedAfter(deps, { loaded, whole, about_one, domain_ids, open })
    : { rejected: null, warnings: [], failure: null }
  const unserved = await unservedBack(deps, deployed, served.rejected ?? [])
  if (until_served && served.rejected !== null) await closeRenames(deps, renamed)
  const failed = served.failure !== null && unserved[0] !== undefined ? wentBack(unserved[0]) : served.failure
  if (failed !== null) throw withFacts(failed, { ...served.failure?.details.facts, ...facts })
  const reports = await leavingDone(deps, first, { loaded, scope: reachOf(deployed) })
  const is_news = head !== null || first.some(({ repaired }) => repaired > 0)
  const proven = await provenAfter(deps, { deployed, loaded, is_news })
  const { open_routes, not_proven } = proven
  const { refused, unfinished: left } = outcome(reports)
  const unfinished = [...left, ...proven.unfinished]
  const components = componentsOf([...reports, ...proven.reports])
  const pending = await pendingDomains(deps)
  const way = is_opening
    ? await inTheWay(deps, { loaded, whole, domain_ids })
    : { shadowed: null, warnings: [] }
  const under_way = new Set(stillUnderWay(reports))
  const warnings = [
    ...firstOf(proven.warnings, 'GET /api/sso/drift'),
    ...deployed.warnings,
    ...hook_warnings,
    ...(is_opening ? await warningsOnRecords(deps, of_call) : []),
    ...unfinished.map((one) => (under_way.has(one.message) ? one.message : comingWords(one))),
    ...firstOf(warningsOn(reports, of_call), 'GET /api/drift'),
    ...undoneOfOthers(first, new Set(domain_ids.flatMap((id) => names.get(id) ?? []))),
    ...proxy_warnings,
    ...served.warnings,
    ...firstOf(way.warnings, 'GET /api/drift'),
  ]
  const not_done = eachOnce([
    ...(deployed.refused ?? []),
    ...back,
    ...unserved,
    ...refused,
    ...notServedRows(served.rejected ?? []),
  ])
  const may_be_served =
    is_opening || (deployed.unless_loaded?.not_loaded ?? deployed.message) !== deployed.message
  // What is not written has its reason; that it is not loaded follows.
  const is_unloaded = loaded === false && written !== false && may_be_served
  const open_parts = [...unfinished, ...(is_unloaded ? [NOT_LOADED] : [])]
  const domain = about_one ? names.get(domain_ids[0] ?? 0) : undefined
  const head_line = headline(deployed, {
    loaded: written === false ? 'not_written' : (loaded ?? (asked ? 'not_known' : 'not_asked')),
    domain,
    refused: not_done,
  })
  const after = (await deployed.saidAfter?.(components)) ?? { words: '', warnings: [] }
  const bad = [not_done, open_parts, served.rejected ?? [], way.shadowed ?? [], open_routes]
  const open_clause = openWords(open_routes)
  return {
    success: bad.every((list) => list.length === 0),
    // That the proxy has not loaded them, the line of a deploy says already.
    message: withUnfinished(
      `${head_line.replace(/\.$/, '')}${open_clause === null ? '' : `; ${open_clause}: see the warnings`}${after.words}.`,
      is_opening ? unfinished : open_parts,
    ),
    release,
    domain_ids,
    components,
    loaded,
    rejected: served.rejected,
    shadowed: way.shadowed,
    open_routes,
    not_proven,
    pending,
    refused: not_done,
    unfinished: open_parts,
    warnings: [...new Set([...warnings, ...after.warnings])],
  }
}

/** What went back has its reason on the record already. */
async function marked(
  deps: Deps,
  reasons: ReadonlyMap<number, string>,
  { back, open }: { readonly back: readonly RefusedRow[]; readonly open: ReadonlySet<number> },
): Promise<void> {
  const went_back = new Set(back.map(({ domain_id }) => domain_id))
  const left = new Map([...reasons].filter(([domain_id]) => !went_back.has(domain_id)))
  if (left.size > 0) await markAllRefused(deps, left, open)
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
  const ids = domain_ids && new Set(domain_ids)
  return recordWarnings(deps, liveFields(rows.filter(({ domain_id }) => ids?.has(domain_id) ?? true)))
}

const convergeAll = (deps: CoreParts, deployed: Deployed): Promise<readonly Report[]> =>
  deps.engine.converge(deployed.direction, reachOf(deployed))

function reachOf(deployed: Deployed) {
  const { component, keys, domain_ids, everything = false, whole, progress } = deployed
  const except = [...(deployed.except ?? []), ...(isProvenLater(deployed) ? [PROOF_KEY] : [])]
  const named = { ...(component && { component }), except, ...(keys && { keys }) }
  return { ...named, records: whole ? 'all' : domain_ids, everything, progress } as const
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
  reports.flatMap(({ outcome, failure, items = [] }) =>
    outcome === 'left_unfinished'
      ? [failure, ...items.map(({ waits }) => waits ?? null)].flatMap((one) => one?.message ?? [])
      : [],
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
