/** Bringing the world to a release and saying how that went. */
import type { CoreParts } from '../../../core/parts.ts'
import { type Deployed, pendingDomains } from '../../../core/deploy.ts'
import { mergeReports } from '../../../engine/converge.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { RefusedRow } from '../../../model/plan.ts'
import { type Report, reportFor } from '../../../model/report.ts'
import type { ComponentResult, DeploymentResult } from '../../../core/answers.ts'
import { carryOutActivation } from '../activation.ts'
import {
  type Applied,
  answerOf,
  type Around,
  type AtProxy,
  type Call,
  componentResults,
  type ProofOfCall,
} from './deployment-answer.ts'
import type { Deps } from '../deps.ts'
import { eachWarning, liveFields, recordWarnings } from '../../../core/commit/warnings.ts'
import { loadedAfter } from './after-deploy.ts'
import { inTheWay } from './in-the-way.ts'
import { markAllRefused } from '../record-status.ts'
import { type Outcome, outcomeOf, triedInVain } from '../outcome.ts'
import { isProvenLater, provenAfter } from './proven-after.ts'
import { closeRenames, type Taken, takeNames, wentBack } from '../names/renames.ts'
import { leavingDone, unservedBack } from '../names/unserved.ts'
import { PROOF_KEY } from '../../sso/proof/target.ts'
import { type Served, servedAfter } from './served-after.ts'

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
  const { domain_ids, about } = deployed
  const letGo = deps.engine.hold(about === 'every' ? 'all' : domain_ids)
  try {
    return await throughStages(deps, deployed)
  } catch (error) {
    // Whether the proxy took it, nobody waits for.
    if (deployed.head !== null) deps.decisions.leave(deployed.head)
    throw error
  } finally {
    letGo()
  }
}

const NO_NAMES: Taken = { back: [], reports: new Map() }

/** Each stage looks at what the one before has left, and throws where the call is to fail. */
async function throughStages(deps: Deps, deployed: Deployed): Promise<DeploymentResult> {
  const hook_warnings = await eachWarning(deps.hooks(), deployed.domain_ids.length, (one) =>
    one.deployed?.(deployed.domain_ids),
  )
  const applied = await applyRelease(deps, deployed)
  const call = await callOf(deps, deployed, applied.reports)
  await assertApplied(deps, call, applied)
  const proxy = await askProxy(deps, call, applied)
  const proof = await proveIt(deps, call, { applied, loaded: proxy.loaded })
  return answerOf(call, { hook_warnings, applied, proxy, proof, around: await lookAround(deps, call, proof) })
}

/** New names are taken first; then the rest is brought there, and the release keeps what came of it. */
async function applyRelease(deps: Deps, deployed: Deployed): Promise<Applied> {
  const { head, renamed = [], progress, about, domain_ids } = deployed
  const open = openNames(deps, deployed)
  const taken =
    head === null || renamed.length === 0
      ? NO_NAMES
      : await takeNames(deps, {
          renamed,
          request_id: head.request_id,
          made: head.number,
          progress,
          until_served: open.size > 0,
        })
  const passes = await converged(deps, deployed, taken === NO_NAMES ? head?.number : undefined)
  const reports = passes.map((report) => mergeReports(taken.reports.get(report.key) ?? null, report))
  const components = componentResults(reports, about === 'every' ? null : domain_ids)
  await keepResults(deps, deployed, { passes, components, taken }).catch(async (error: unknown) => {
    throw await brokenOff(deps, deployed, error)
  })
  return { open, back: taken.back, reports, components }
}

/** @param reports as the world was left by the first stage */
async function callOf(deps: Deps, deployed: Deployed, reports: readonly Report[]): Promise<Call> {
  const { head, direction, domain_ids, about, repairs = false } = deployed
  const whole = about === 'every'
  const about_one = about === 'one'
  const names = await namesOf(deps)
  const fails = about_one || deployed.component !== undefined || deployed.fails === true
  const releases = head !== null
  const scope = { direction, domain_ids, whole, fails, releases, about_one, names, repairs }
  const idle = new Set(
    direction === 'close'
      ? await eachWarning(deps.hooks(), domain_ids.length, (one) => one.idle?.(domain_ids))
      : [],
  )
  const outcome = (of: readonly Report[]): Outcome =>
    outcomeOf(
      of.filter(({ key }) => !idle.has(key)),
      scope,
    )
  return {
    deployed,
    scope,
    of_call: whole ? null : domain_ids,
    is_opening: direction === 'open',
    about_one,
    release: await releaseNow(deps, deployed),
    outcome,
    first: outcome(reports),
  }
}

/** Throws what failed it, once the records have their reasons. */
async function assertApplied(
  deps: Deps,
  { scope, is_opening, about_one, first, ...call }: Call,
  { open, back, reports, components }: Applied,
): Promise<void> {
  const facts = factsOf(call, components)
  if (is_opening) await marked(deps, triedInVain(reports, scope), { back, open })
  if (first.failure !== null) throw withFacts(first.failure, facts)
  if (about_one && back[0] !== undefined) throw withFacts(wentBack(back[0]), facts)
}

const NOT_ASKED: Served = { rejected: null, warnings: [], failure: null }

/** Whether the proxy has loaded it and serves it; what it does not serve goes back. Throws where the call fails for that. */
async function askProxy(
  deps: Deps,
  { deployed, scope, is_opening, about_one, ...call }: Call,
  { open, reports, components }: Applied,
): Promise<AtProxy> {
  const { head, renamed = [], domain_ids, progress } = deployed
  const { whole } = scope
  const loaded = await loadedAfter(deps, { head, reports, may_go_back: is_opening, progress })
  const served = is_opening
    ? await servedAfter(deps, { loaded: loaded.loaded, whole, about_one, domain_ids, open })
    : NOT_ASKED
  const unserved = await unservedBack(deps, deployed, served.rejected ?? [])
  if (open.size > 0 && served.rejected !== null) await closeRenames(deps, renamed)
  const failed = served.failure !== null && unserved[0] !== undefined ? wentBack(unserved[0]) : served.failure
  if (failed !== null)
    throw withFacts(failed, {
      ...served.failure?.details.facts,
      ...factsOf({ deployed, ...call }, components),
    })
  return { ...loaded, served, unserved }
}

interface ToProve {
  readonly applied: Applied
  readonly loaded: boolean | null
}

/** What waited for the proxy is finished, and what is to be closed is looked at from outside. */
async function proveIt(
  deps: Deps,
  { deployed, outcome }: Call,
  { applied, loaded }: ToProve,
): Promise<ProofOfCall> {
  const reports = await leavingDone(deps, applied.reports, { loaded, scope: reachOf(deployed) })
  const is_news = deployed.head !== null || applied.reports.some(({ repaired }) => repaired > 0)
  const proven = await provenAfter(deps, { deployed, loaded, is_news })
  return { reports, proven, ...outcome(reports), loaded }
}

/** What else whoever calls should know of the records as they are now. */
async function lookAround(
  deps: Deps,
  { deployed, scope, of_call, is_opening }: Call,
  { reports, proven, loaded }: ProofOfCall,
): Promise<Around> {
  const pending = await pendingDomains(deps)
  const { whole, domain_ids } = scope
  const way = is_opening
    ? await inTheWay(deps, { loaded, whole, domain_ids })
    : { shadowed: null, warnings: [] }
  const warnings = is_opening ? await warningsOnRecords(deps, of_call) : []
  const components = componentResults([...reports, ...proven.reports], of_call)
  const said = (await deployed.saidAfter?.(components)) ?? { words: '', warnings: [] }
  return { pending, way, warnings, components, said }
}

const factsOf = (
  { deployed: { domain_ids }, release }: Pick<Call, 'deployed' | 'release'>,
  components: readonly ComponentResult[],
) => ({ release, domain_ids, components })

const releaseNow = async ({ store }: CoreParts, { head }: Deployed): Promise<number> =>
  head?.number ?? (await store.latestRelease())?.number ?? 0

/** What went back has its reason on the record already. */
async function marked(
  deps: Deps,
  reasons: ReadonlyMap<number, string>,
  { back, open }: { readonly back: readonly RefusedRow[]; readonly open: ReadonlySet<number> },
): Promise<void> {
  const went_back = new Set(back.map(({ domain_id }) => domain_id))
  const left = new Map([...reasons].filter(([domain_id]) => !went_back.has(domain_id)))
  if (left.size > 0) await markAllRefused(deps, left, { open })
}

/** What is to go must not wait for somebody to tidy up the disk. */
async function converged(
  deps: Deps,
  deployed: Deployed,
  made: number | undefined,
): Promise<readonly Report[]> {
  const work = (of_release?: number) =>
    deps.engine
      .converge(deployed.direction, { ...reachOf(deployed), made: of_release })
      .catch(async (error: unknown) => {
        throw await brokenOff(deps, deployed, error)
      })
  const reports = await work(made)
  const is_full = reports.some(({ failure }) => failure?.code === 'storage_full')
  return deployed.direction === 'close' && is_full && deps.ballast.spend() ? work() : reports
}

async function namesOf({ store }: CoreParts): Promise<ReadonlyMap<number, string>> {
  const { rows } = await store.intent('released')
  return new Map(rows.map(({ domain_id, fields }) => [domain_id, fields.domain]))
}

/** Nobody worked through to the end; what was committed stands all the same, and the answer has to say so. */
async function brokenOff(deps: CoreParts, deployed: Deployed, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure)) return error
  const { domain_ids } = deployed
  const release = await releaseNow(deps, deployed)
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

function reachOf(deployed: Deployed) {
  const { component, keys, domain_ids, everything = false, about, progress } = deployed
  const except = [...(deployed.except ?? []), ...(isProvenLater(deployed) ? [PROOF_KEY] : [])]
  const named = { ...(component && { component }), except, ...(keys && { keys }) }
  return { ...named, records: about === 'every' ? 'all' : domain_ids, everything, progress } as const
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
  { head, domain_ids, about }: Deployed,
  { passes, components, taken }: Results,
): Promise<void> {
  if (head === null) return
  const recorded = new Set(passes.flatMap(({ key, outcome }) => (outcome === 'repaired' ? [key] : [])))
  const reported = components.filter(({ key, outcome }) => outcome !== 'repaired' || !recorded.has(key))
  // What came after a name went back is the result of the release that took it back.
  const refused = taken.back.length === 0 ? [] : [...taken.reports.values()]
  const results = Object.fromEntries([
    ...reported.map(({ key, outcome }) => [key, outcome]),
    ...refused.map((report) => [
      report.key,
      reportFor(report, about === 'every' ? 'all' : domain_ids).outcome,
    ]),
  ])
  if (Object.keys(results).length > 0) await store.write((tx) => tx.recordResults(head.number, results))
}

const withFacts = (failure: Failure, facts: Readonly<Record<string, unknown>>): Failure =>
  new Failure(failure.code, failure.message, { ...failure.details, facts, cause: failure })
