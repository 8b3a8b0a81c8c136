/** What is known to be right: every component, and beside them the domains whose condition is another. */
import type { CoreParts } from '../../../core/parts.ts'
import { componentCondition, differingConditions, sharedOf } from '../../../engine/status/key-conditions.ts'
import { isoTimeOrNull } from '../../../kernel/clock.ts'
import type { Condition } from '../../../model/condition.ts'
import { pendingDomains } from '../../../core/deploy.ts'
import { presentCondition } from './present.ts'
import type { ListedCondition } from '../views.ts'

/** Components in the order of work, each followed by its domains in the order of their ids. */
export async function listConditions(deps: CoreParts): Promise<readonly ListedCondition[]> {
  const names = await namesById(deps)
  const revisions = await releasedRevisions(deps)
  const waiting = (await pendingDomains(deps)).map(({ domain_id }) => ({
    domain_id,
    released_revision: revisions.get(domain_id) ?? null,
  }))
  const keys = await deps.engine.conditions()
  const now = deps.clock.now()
  return keys.flatMap((of_key) => {
    const whole = componentCondition(of_key, now)
    const shared = sharedOf(of_key, now)
    return [whole, ...differingConditions(of_key, waiting, now)].map((condition) => ({
      component: of_key.component,
      key: of_key.key,
      domain_id: condition.domain_id === 0 ? null : condition.domain_id,
      domain: names.get(condition.domain_id) ?? null,
      ...presentCondition(condition),
      observed_at: isoTimeOrNull(of_key.seen_at),
      others: condition === whole && whole.is_of_some ? othersIn(shared) : null,
    }))
  })
}

const othersIn = ({ status, reason, message }: Condition): ListedCondition['others'] => ({
  status,
  reason,
  message,
})

/** The name that a record has now; for one that is gone, the name under which it is still released. */
async function namesById({ store }: CoreParts): Promise<ReadonlyMap<number, string>> {
  const rows = [...(await store.intent('released')).rows, ...(await store.intent('working')).rows]
  return new Map(rows.map(({ domain_id, fields }) => [domain_id, fields.domain]))
}

const releasedRevisions = async ({ store }: CoreParts): Promise<ReadonlyMap<number, number>> =>
  new Map((await store.intent('released')).rows.map(({ domain_id, revision }) => [domain_id, revision]))
