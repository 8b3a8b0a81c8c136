/**
 * Brings our certificates, and then the file that names them to the proxy, to what is released. What is right already is
 * left alone, so it may be called at any time.
 */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import { type Plan, sealPlan } from '../../../model/plan.ts'
import { type Report, isGood } from '../../../model/report.ts'
import type { ManagedView } from '../view.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { Caller } from '../../../core/caller.ts'
import type { PlanningDeps } from '../deps.ts'
import { CERTIFICATES, CERTIFICATES_FILE as FILE } from './list.ts'
import { type CertificateUser, certificateUsers } from '../users.ts'
import type { NameResult, TlsAnswer, TlsPlanned } from './views.ts'

/** @param retry ends the waits after failures, but for those that an authority asked for. */
export async function reconcileTls(
  deps: PlanningDeps,
  { retry }: { readonly retry: boolean },
  caller: Caller,
): Promise<TlsAnswer | TlsPlanned> {
  const { manager } = deps.certificates
  if (manager === null) return UNCONFIGURED
  if (caller.dry_run) return rehearse({ deps, manager, caller }, retry)
  // Orders go on by themselves between plan and press, and what was obtained meanwhile is left alone: no plan has to be the same.
  await commit(deps, { ...caller, confirm: null }, () => Promise.resolve(audited(retry)))
  if (retry) await manager.resetBackoff()
  const { progress } = caller
  const reports = await deps.engine.converge('open', { records: 'all', component: CERTIFICATES, progress })
  const [file] = await deps.engine.converge('open', { records: 'all', component: FILE, progress })
  const { rows } = await deps.store.intent('released')
  const views = await manager.list({ rows }, caller.signal)
  const results = resultsOf(views, { reports, usersOf: certificateUsers(rows) })
  return answerOf(results, file)
}

interface Rehearsal {
  readonly deps: PlanningDeps
  readonly manager: NonNullable<PlanningDeps['certificates']['manager']>
  readonly caller: Caller
}

async function rehearse({ deps, manager, caller }: Rehearsal, retry: boolean): Promise<TlsPlanned> {
  const plan = await deps.repairPlanOf(CERTIFICATES, caller)
  const views = retry ? await manager.list(await deps.store.intent('released'), caller.signal) : []
  return { dry_run: true, plan: retriedPlan(plan, views), file_plan: await deps.repairPlanOf(FILE, caller) }
}

function answerOf(results: readonly NameResult[], file: Report | undefined): TlsAnswer {
  const missing = results.filter(({ message, serial }) => message !== null || serial === null).length
  const success = missing === 0 && (file === undefined || isGood(file))
  return {
    success,
    configured: true,
    message: success
      ? `${results.length === 1 ? 'The certificate is' : `All ${results.length} certificates are`} there.`
      : `${missing} of ${results.length} certificates ${missing === 1 ? 'is' : 'are'} not what ${missing === 1 ? 'it' : 'they'} should be yet.`,
    results,
    file: file === undefined ? null : { outcome: file.outcome, message: file.failure?.message ?? null },
  }
}

type Waiting = Pick<ManagedView, 'name' | 'retried'>

/**
 * The plan of a retry: what waits after a failure is tried at once, so that it is an action and stands in nobody's way. Pure.
 * @param plan of the component, in which they wait
 */
function retriedPlan(plan: Plan, views: readonly Waiting[]): Plan {
  const retried = views.flatMap(({ name, retried: would }) => (would === null ? [] : [{ name, ...would }]))
  if (retried.length === 0) return plan
  const waits = new Set(retried.map(({ waiting }) => waiting))
  const actions = retried.map(({ name, verb, before, after }) => ({
    component: CERTIFICATES,
    verb,
    item: name,
    before,
    after,
    reason: 'repair' as const,
    of_neighbour: false,
    needs: [],
  }))
  return sealPlan({
    ...plan,
    actions: [...plan.actions, ...actions],
    refused: plan.refused.filter(({ message }) => !waits.has(message)),
    warnings: plan.warnings.filter((warning) => !waits.has(warning)),
  })
}

const UNCONFIGURED: TlsAnswer = {
  success: true,
  configured: false,
  message: 'No certificates are obtained here: PLUMBLINE_ACME_DIRECTORY is not set.',
  results: [],
  file: null,
}

const audited = (retry: boolean) => {
  const audit = [{ ...OF_NO_RECORD, action: 'reconcile_tls', detail: { retry } }]
  return { result: null, audit, release: null, reason: '', warnings: [] }
}

interface Known {
  readonly reports: readonly Report[]
  readonly usersOf: (names: readonly string[]) => readonly CertificateUser[]
}

const resultsOf = (views: readonly ManagedView[], { reports, usersOf }: Known): readonly NameResult[] =>
  views
    .filter(({ wanted }) => wanted)
    .map(({ name, names, installed, next_attempt_at }) => {
      const report = reports.find(({ key }) => key === `cert:${name}`)
      return {
        name,
        names,
        domains: usersOf(names),
        outcome: report?.outcome ?? null,
        message: report?.failure?.message ?? null,
        serial: installed?.serial ?? null,
        not_after: installed && isoTime(installed.not_after),
        next_attempt_at: isoTimeOrNull(next_attempt_at),
      }
    })
