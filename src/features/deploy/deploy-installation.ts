/** The two calls that deploy the whole installation: everything, and the configuration of the proxy alone. */
import { outcomeAudited } from '../../core/audit/failed.ts'
import { OF_NO_RECORD } from '../../core/audit/facts.ts'
import { pendingBetween } from '../../engine/editions/editions.ts'
import { firstOf } from '../../kernel/async/first-of.ts'
import { signInFaultsAmong } from '../../model/access/applies.ts'
import { insecureAmong } from '../../model/domain/backend-rules.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../../core/answers.ts'
import { commit } from '../../core/commit/commit.ts'
import { opening, type Work } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { keepDeployStatus } from './deploy-status.ts'
import { but, type Deployable, workOfAll } from '../domains/editions/deploy-work.ts'

/** Releases everything that is active, with every saved edit, and brings all components to it. */
export async function deployAll(deps: Deps, caller: Caller): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, workOfAll)
  if (committed.planned) return planned(committed.plan)
  const { head, warnings, refused, renamed } = committed
  const result = but(committed.result, refused)
  return outcomeAudited(deps, { caller, action: 'deploy_all' }, () =>
    keepDeployStatus(deps, 'deploy-all', () =>
      deps.deploy({
        ...result,
        head,
        warnings,
        refused,
        renamed,
        direction: 'open',
        about: 'every',
        progress: caller.progress,
      }),
    ),
  )
}

/**
 * Generates and deploys the configuration of the proxy: the routes, and what must stand before them (rules, certificates).
 * A call without a key may ask for it, so it moves no name: what changes anything of DNS stays saved, and is named.
 */
export async function deployProxy(deps: Deps, caller: Caller): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, workOfProxy(deps))
  if (committed.planned) return planned(committed.plan)
  const { head, warnings, refused } = committed
  const result = but(committed.result, refused)
  return outcomeAudited(deps, { caller, action: 'deploy_proxy' }, () =>
    keepDeployStatus(deps, 'deploy-proxy', () =>
      deps.deploy({
        ...result,
        head,
        warnings,
        refused,
        direction: 'open',
        about: 'every',
        except: ['dns'],
        progress: caller.progress,
      }),
    ),
  )
}

const workOfProxy = ({ dns }: Deps): Work<Deployable> =>
  opening('each', async (tx) => {
    const released = await tx.intent('released')
    const working = await tx.intent('working')
    const pending = pendingBetween(working, released)
    const rows = pending.filter((row) => !movesNames(dns, released, row))
    const left = pending.filter((row) => !rows.includes(row))
    return {
      result: {
        domain_ids: rows.map(({ domain_id }) => domain_id),
        message: `Deployed the proxy configuration${without(left)}`,
        counts: true,
      },
      audit: [{ ...OF_NO_RECORD, action: 'deploy_proxy', detail: { rows: rows.length, left: left.length } }],
      release: rows,
      reach: { records: 'all', except: ['dns'] },
      reason: 'deploy proxy',
      warnings: [...insecureAmong(working.rows), ...firstOf(signInFaultsAmong(working.rows))],
    }
  })

/** Names the one; `pending` in the answer names all. */
function without(left: readonly ReleaseRow[]): string {
  if (left.length === 0) return ''
  const [first] = left
  return left.length === 1 && first?.row
    ? `, without ${first.row.fields.domain}, which would change DNS records and is left to deploy-all`
    : `, without ${left.length} domains that would change DNS records and are left to deploy-all`
}

/** Whether DNS would be asked for anything else. */
function movesNames(dns: Deps['dns'], { rows }: Intent, { domain_id, row }: ReleaseRow): boolean {
  const wish = (one: IntentRow | null | undefined) => dns.wishOf({ rows: one ? [one] : [] })
  return wish(rows.find((old) => old.domain_id === domain_id)) !== wish(row)
}
