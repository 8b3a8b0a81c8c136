/** What a deploy answers once its stages are over: one verdict, one sentence, and everything that is open. Pure. */
import type { ComponentResult, DeploymentResult, PendingDomain } from '../../../core/answers.ts'
import { type Deployed, withUnfinished } from '../../../core/deploy.ts'
import { firstOf } from '../../../kernel/async/first-of.ts'
import { eachRefusedOnce, type RefusedRow } from '../../../model/plan.ts'
import { failureFor, figuresFor, isGood, type Report } from '../../../model/report.ts'
import type { Loaded } from './after-deploy.ts'
import type { InTheWay } from './in-the-way.ts'
import type { CallScope, Outcome } from '../outcome.ts'
import { comingWords, headline, NOT_LOADED, openWords, undoneOfOthers } from '../outcome-words.ts'
import type { ProvenAfter } from './proven-after.ts'
import { notServedRows, type Served } from './served-after.ts'

/** What the call is about, and what the first look at its outcome says. */
export interface Call {
  readonly deployed: Deployed
  readonly scope: CallScope
  /** Records of the call; null for all. */
  readonly of_call: readonly number[] | null
  readonly is_opening: boolean
  readonly about_one: boolean
  /** Number of the release that the world is brought to. */
  readonly release: number
  readonly outcome: (reports: readonly Report[]) => Outcome
  readonly first: Outcome
}

/** What was done outside. */
export interface Applied {
  /** Records whose new name the proxy is to serve first. */
  readonly open: ReadonlySet<number>
  /** Names that went back before the proxy was asked. */
  readonly back: readonly RefusedRow[]
  readonly reports: readonly Report[]
  readonly components: readonly ComponentResult[]
}

export interface AtProxy extends Loaded {
  readonly served: Served
  /** Names that went back since the proxy does not serve them. */
  readonly unserved: readonly RefusedRow[]
}

export interface ProofOfCall extends Outcome {
  /** As they are when what waited for the proxy is done. */
  readonly reports: readonly Report[]
  readonly proven: ProvenAfter
  readonly loaded: boolean | null
}

export interface Around {
  readonly pending: readonly PendingDomain[]
  readonly way: InTheWay
  /** On the records as they are. */
  readonly warnings: readonly string[]
  readonly components: readonly ComponentResult[]
  readonly said: { readonly words: string; readonly warnings: readonly string[] }
}

export interface Stages {
  readonly hook_warnings: readonly string[]
  readonly applied: Applied
  readonly proxy: AtProxy
  readonly proof: ProofOfCall
  readonly around: Around
}

export function answerOf(call: Call, stages: Stages): DeploymentResult {
  const { is_opening, release, deployed } = call
  const { applied, proxy, proof, around } = stages
  const { rejected } = proxy.served
  const { open_routes, not_proven } = proof.proven
  const { pending, components, way, said } = around
  const refused = eachRefusedOnce([
    ...(deployed.refused ?? []),
    ...applied.back,
    ...proxy.unserved,
    ...proof.refused,
    ...notServedRows(rejected ?? []),
  ])
  const not_done_yet = unfinishedOf(proof)
  const unfinished = [...not_done_yet, ...(isUnloaded(call, proxy) ? [NOT_LOADED] : [])]
  const bad = [refused, unfinished, rejected ?? [], way.shadowed ?? [], open_routes]
  return {
    success: bad.every((list) => list.length === 0),
    // That the proxy has not loaded them, the line of a deploy says already.
    message: withUnfinished(sentenceOf(call, stages, refused), is_opening ? not_done_yet : unfinished),
    release,
    domain_ids: deployed.domain_ids,
    components,
    loaded: proxy.loaded,
    proxy_asked: proxy.asked,
    rejected,
    shadowed: way.shadowed,
    open_routes,
    not_proven,
    pending,
    refused,
    unfinished,
    warnings: [...new Set([...warningsOf(call, stages), ...said.warnings])],
  }
}

const unfinishedOf = ({ unfinished, proven }: ProofOfCall) => [...unfinished, ...proven.unfinished]

/** What is not written has its reason; that it is not loaded follows. */
function isUnloaded({ is_opening, deployed }: Call, { loaded, written }: AtProxy): boolean {
  const may_be_served = is_opening || deployed.unless_loaded !== undefined
  return loaded === false && written !== false && may_be_served
}

function sentenceOf(
  { deployed, scope, about_one }: Call,
  { proxy, proof, around }: Stages,
  refused: readonly RefusedRow[],
): string {
  const { loaded, written, asked } = proxy
  const head_line = headline(deployed, {
    loaded: written === false ? 'not_written' : (loaded ?? (asked ? 'not_known' : 'not_asked')),
    domain: about_one ? scope.names.get(scope.domain_ids[0] ?? 0) : undefined,
    refused,
  })
  const open_clause = openWords(proof.proven.open_routes)
  const then = open_clause === null ? '' : `; ${open_clause}: see the warnings`
  return `${head_line.replace(/\.$/, '')}${then}${around.said.words}.`
}

function warningsOf(
  { deployed, scope, of_call }: Call,
  { hook_warnings, applied, proxy, proof, around }: Stages,
): readonly string[] {
  const { reports, proven } = proof
  const under_way = new Set(stillUnderWay(reports))
  const own = new Set(scope.domain_ids.flatMap((id) => scope.names.get(id) ?? []))
  return [
    ...firstOf(proven.warnings, 'GET /api/sso/drift'),
    ...deployed.warnings,
    ...hook_warnings,
    ...around.warnings,
    ...unfinishedOf(proof).map((one) => (under_way.has(one.message) ? one.message : comingWords(one))),
    ...firstOf(warningsOn(reports, of_call), 'GET /api/drift'),
    ...undoneOfOthers(applied.reports, own),
    ...proxy.warnings,
    ...proxy.served.warnings,
    ...firstOf(around.way.warnings, 'GET /api/drift'),
  ]
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

/** @param domain_ids those that the call is about; null for all. What was repaired or refused to others is no outcome of it. */
export const componentResults = (
  reports: readonly Report[],
  domain_ids: readonly number[] | null,
): readonly ComponentResult[] => reports.map((report) => componentResult(report, domain_ids))

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
