/** Lifting the quarantine of a route: only a person does, since a route that is out can prove nothing. */
import { Failure } from '../../../kernel/failure.ts'
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { Caller } from '../../../core/caller.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { ssoRecords } from '../records.ts'

export interface Lifted {
  readonly success: true
  readonly message: string
}

/** The route comes back with the next pass and is asked again at once. Throws `not_found`. */
export async function liftQuarantine(
  deps: Deps,
  domain: string,
  caller: Caller,
): Promise<Lifted | PlannedAnswer> {
  const committed = await commit(deps, caller, (tx) => lifting(tx, domain))
  if (committed.planned) return planned(committed.plan)
  deps.sso.lifted()
  await deps.engine.converge('open', { records: 'all', component: 'routes' })
  const asked =
    deps.sso.proof === null
      ? 'nobody asks it without signing in, because PLUMBLINE_SSO_PROBE is not set'
      : 'is asked again without signing in'
  return { success: true, message: `${domain} is out of quarantine; its route is back and ${asked}.` }
}

async function lifting(tx: StoreWriter, domain: string) {
  const row = (await tx.of(ssoRecords).quarantine()).find((one) => one.domain === domain)
  if (row === undefined) throw new Failure('not_found', `${domain} is not in quarantine.`)
  const { domain_id } = row
  await tx.of(ssoRecords).dropQuarantine(domain_id)
  const revisions = { revision_before: null, revision_after: null }
  const audit = {
    action: 'lift_quarantine',
    domain_id,
    domain,
    ...revisions,
    detail: { evidence: row.evidence },
  }
  const reach = { records: 'all', component: 'routes' } as const
  const does = { action: audit.action, domain }
  return { result: domain, audit: [audit], release: null, does, reach, reason: '', warnings: [] }
}
