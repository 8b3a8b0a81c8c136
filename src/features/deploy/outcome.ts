/** What a convergence came to for one call: what failed it, what was refused to single records, and what only waits. */
import type { Direction } from '../../engine/converge.ts'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import type { RefusedRow } from '../../model/plan.ts'
import { failureFor, isGood, type RefusedRepair, type Report } from '../../model/report.ts'
import { isTheirs } from '../../model/whose.ts'
import type { UnfinishedPart } from '../../core/answers.ts'

export interface CallScope {
  readonly direction: Direction
  readonly domain_ids: readonly number[]
  /** It is about every record. */
  readonly whole: boolean
  /** It fails with what fails: it is about one record or one component alone, or it is no deploy of several. */
  readonly fails: boolean
  /** It has made a release. */
  readonly releases: boolean
  /** It brings the world to what was released before, and was never to release anything. */
  readonly repairs?: boolean
  /** It is about one record alone, which nobody refused before its release. */
  readonly about_one: boolean
  /** Names of the records, by id. */
  readonly names: ReadonlyMap<number, string>
}

export interface Outcome {
  readonly failure: Failure | null
  readonly refused: readonly RefusedRow[]
  readonly unfinished: readonly UnfinishedPart[]
}

/**
 * A call about one record fails where the world refuses that one. One about several tells what was refused to which of
 * them. One that takes away is done when the routes are gone; what is left elsewhere is taken away when it can be.
 */
export function outcomeOf(reports: readonly Report[], scope: CallScope): Outcome {
  const { direction } = scope
  const bad = failedIn(reports, scope)
  const decisive =
    direction === 'open' || scope.fails ? bad : bad.filter(({ report }) => report.component === 'routes')
  if ((scope.fails || direction === 'close') && decisive[0] !== undefined) {
    const { failure } = decisive[0]
    return { failure: standing(withSuspended(failure, decisive), scope), refused: [], unfinished: [] }
  }
  const waiting = [
    ...bad.filter(({ report }) => report.refusals.length === 0 || direction === 'close'),
    ...(direction === 'open' ? reports.flatMap((report) => untriedIn(report, scope)) : []),
    ...reports.flatMap((report) => underWayIn(report, scope)),
  ]
  const refused = direction === 'open' ? refusedIn(reports, scope) : []
  return { failure: null, refused, unfinished: waiting.map(unfinishedPart) }
}

interface FailedReport {
  readonly report: Report
  readonly failure: RefusedRepair
}

const failedIn = (reports: readonly Report[], scope: CallScope): readonly FailedReport[] =>
  reports.flatMap((report) => {
    const failure = scope.whole ? failureOfAny(report, scope) : failureFor(report, scope.domain_ids)
    return failure === null ? [] : [{ report, failure }]
  })

const unfinishedPart = ({ report, failure }: FailedReport): UnfinishedPart => ({
  component: report.component,
  key: report.key,
  code: failure.code,
  message: failure.message,
})

/** The first speaks for all; of what is suspended each is named, since nobody knows which of them the change is in. */
function withSuspended(failure: RefusedRepair, all: readonly FailedReport[]): RefusedRepair {
  if (failure.code !== 'suspended') return failure
  const messages = all.filter((one) => one.failure.code === 'suspended').map((one) => one.failure.message)
  return { ...failure, message: [...new Set(messages)].join(' ') }
}

function underWayIn(report: Report, scope: CallScope): readonly FailedReport[] {
  const failure = isUnderWay(report, scope) ? (waitsFor(report, scope) ?? report.failure) : null
  return failure === null ? [] : [{ report, failure }]
}

/** Nothing went wrong, and it is not done. */
const isUnderWay = ({ outcome, items }: Report, { whole, domain_ids }: CallScope): boolean =>
  outcome === 'left_unfinished' &&
  (whole ||
    items === undefined ||
    items.some(({ repaired, domain_ids: ids }) => !repaired && isTheirs(domain_ids, ids)))

/** Of the items that are the call's: those of others wait for something of their own. */
const waitsFor = ({ items = [] }: Report, { whole, domain_ids }: CallScope): RefusedRepair | null =>
  items.find(({ waits, domain_ids: ids }) => waits !== undefined && (whole || isTheirs(domain_ids, ids)))
    ?.waits ?? null

/** Refused before anything was asked of anybody. */
const BEFORE_A_WRITE: ReadonlySet<FailureCode> = new Set([
  'foreign_owner',
  'refused_by_guard',
  'restored_from_backup',
  'suspended',
])

/** Records of the call of which something was tried in vain, each with the first reason. */
export function triedInVain(
  reports: readonly Report[],
  { whole, fails, domain_ids }: CallScope,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>()
  const note = (ids: readonly number[], { code, message }: RefusedRepair, then = '') => {
    if (BEFORE_A_WRITE.has(code)) return
    for (const id of ids)
      if (!reasons.has(id) && (whole || domain_ids.includes(id))) reasons.set(id, `${message}${then}`)
  }
  for (const report of reports) {
    if (report.outcome !== 'failed' && report.outcome !== 'refused') continue
    for (const { domain_ids: ids, failure, beside, unfinished } of report.refusals)
      if (beside !== true && unfinished !== true) note(ids, failure)
    if (fails && !whole && report.refusals.length === 0 && report.failure !== null)
      note(domain_ids, report.failure, ' The release stands and is tried again.')
  }
  return reasons
}

/** The first of what was not tried in the pass, or only waits, though other items of the key were refused. */
function untriedIn(report: Report, { whole, domain_ids }: CallScope): readonly FailedReport[] {
  const untried = report.refusals.find(
    ({ domain_ids: ids, unfinished }) =>
      unfinished === true && (whole || ids.some((id) => domain_ids.includes(id))),
  )
  return untried === undefined ? [] : [{ report, failure: untried.failure }]
}

/** Where every record is meant; what only a person can move out of the way fails nothing. */
function failureOfAny(report: Report, { fails }: CallScope): RefusedRepair | null {
  if (isGood(report) || report.outcome === 'left_unfinished') return null
  if (report.refusals.length === 0) return failureFor(report, [])
  return fails && report.outcome === 'failed' ? report.failure : null
}

/** Whatever was released stands: what the world refuses only now is no conflict of the call's any more. */
function standing(
  { code, message, retry_after_ms }: RefusedRepair,
  { about_one, releases, repairs = false }: CallScope,
): Failure {
  const detail = `${message} ${STANDS[releases ? 'released' : repairs ? 'repair' : 'not'][code === 'suspended' ? 'suspended' : 'failed']}`
  const caller_code = about_one && code === 'foreign_owner' ? 'provider_refused' : code
  return new Failure(caller_code, detail, retry_after_ms > 0 ? { retry_after_ms } : {})
}

const STANDS = {
  released: {
    suspended: 'The release stands, and goes out there when the suspension ends.',
    failed: 'The release stands and is tried again.',
  },
  not: {
    suspended: 'No release was made by this call; what is released goes out there when the suspension ends.',
    failed: 'No release was made by this call; the one before is tried again.',
  },
  repair: {
    suspended: 'What is released goes out there when the suspension ends.',
    failed: 'It is tried again.',
  },
} as const

/** The first reason for each record that the call is about. */
function refusedIn(
  reports: readonly Report[],
  { whole, domain_ids, names }: CallScope,
): readonly RefusedRow[] {
  const found = new Map<number, RefusedRow>()
  for (const { refusals } of reports)
    for (const { domain_ids: ids, failure, beside, unfinished } of refusals)
      for (const domain_id of beside === true || unfinished === true ? [] : ids) {
        if (found.has(domain_id) || !(whole || domain_ids.includes(domain_id))) continue
        const { code, message } = failure
        found.set(domain_id, { domain_id, domain: names.get(domain_id) ?? '', code, message })
      }
  return [...found.values()]
}
