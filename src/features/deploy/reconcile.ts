/** A pass now, because a caller asks: the world is brought to what is released, also in `observe` mode. Nothing is released. */
import { failuresAudited } from '../../core/audit/failed.ts'
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import {
  type ComponentResult,
  type DeploymentResult,
  type PlannedAnswer,
  planned,
} from '../../core/answers.ts'
import type { Work } from '../../core/commit/change.ts'
import { assertConfirmed, commit } from '../../core/commit/commit.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deployed } from '../../core/deploy.ts'
import type { CoreParts } from '../../core/parts.ts'
import { named } from '../../core/check.ts'
import type { ProvenRoutes } from '../../model/access/proven.ts'
import { openWords } from './outcome-words.ts'
import { planOf } from './plans/create.ts'

export interface ReconcileAnswer extends ProvenRoutes {
  /** False where the proxy does not serve all that is released, or a protected route is open or not proven closed yet. */
  readonly success: boolean
  readonly message: string
  /** The release that the world now shows. */
  readonly release: number
  readonly components: readonly ComponentResult[]
}

/** One component, or all of them (null). Throws what a component throws that would not be brought to the release. */
export async function reconcile(
  deps: CoreParts,
  component: string | null,
  caller: Caller,
): Promise<ReconcileAnswer | PlannedAnswer> {
  if (component !== null && (caller.dry_run || caller.confirm !== null)) {
    const plan = await planOf(deps, { kind: 'component', component }, caller)
    if (caller.dry_run) return planned(plan)
    assertConfirmed(plan, caller.confirm!)
  }
  // What is confirmed of one component is its own plan.
  const confirm = component === null ? caller.confirm : null
  const committed = await commit(deps, { ...caller, confirm }, workOf(component))
  if (committed.planned) return planned(committed.plan)
  const about = { caller, action: 'reconcile', component }
  const done = await failuresAudited(deps, about, () => deps.deploy(repairOf(component, caller)))
  const { success, release, components, open_routes, not_proven } = done
  return { success, message: messageOf(component, done), release, components, open_routes, not_proven }
}

const sentenceOf = (component: string | null): string =>
  `Looked at ${component ?? 'every component'} and brought it to the newest release.`

const reachOf = (component: string | null) =>
  component === null ? { everything: true as const } : { component }

const workOf =
  (component: string | null): Work<null> =>
  async () => ({
    result: null,
    audit: [{ ...OF_NO_RECORD, action: 'reconcile', detail: { component } }],
    release: null,
    reach: { records: 'all', ...reachOf(component) },
    reason: '',
    warnings: [],
  })

const repairOf = (component: string | null, { progress }: Caller): Deployed => ({
  message: sentenceOf(component),
  domain_ids: [],
  head: null,
  warnings: [],
  direction: 'open',
  about: 'every',
  fails: true,
  repairs: true,
  progress,
  ...reachOf(component),
})

/** With what is not as it was released, beside what the components say. */
function messageOf(
  component: string | null,
  { rejected, open_routes, not_proven }: DeploymentResult,
): string {
  const not_served = [...new Set(rejected?.map(({ domain }) => domain))]
  const but =
    not_served.length === 0 ? '' : ` The proxy does not serve ${named(not_served)}: see /api/deploy/status.`
  const open = openWords(open_routes)
  const words = open === null ? '' : ` ${open}: see /api/sso/drift.`
  const unproven = not_proven.filter(({ cause }) => cause === 'not_seen').map(({ domain }) => domain)
  const open_part =
    unproven.length === 0
      ? ''
      : ` Nobody has proven yet that ${named(unproven)} stays closed to whoever has not signed in: see /api/sso/drift.`
  return sentenceOf(component) + but + words + open_part
}
