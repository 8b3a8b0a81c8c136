/** What can be done, beside what differs. */
import { isoTime } from '../../kernel/clock.ts'
import { eachOnce, withActs } from '../../model/acts/acts.ts'
import { deployAct, liftAct } from '../../model/acts/calls.ts'
import { actGround } from '../../engine/act-ground.ts'
import { withSides } from '../../model/sides/sides.ts'
import type { CoreParts } from '../../core/parts.ts'
import { ssoRecords } from '../sso/records.ts'
import type { ExplainedDomain } from './explained.ts'
import type { IgnoreDeps } from './ignored/ignore.ts'
import type { DriftAnswer } from './read-drift.ts'

export async function driftWithActs(deps: IgnoreDeps, answer: DriftAnswer) {
  const ground = await actGround(deps)
  const components = answer.components.map(({ sidesOf, differences, ...one }) => ({
    ...one,
    differences: withSides(withActs(ground, one.component, differences), sidesOf).map((difference) => ({
      ...difference,
      ...ignoredAt(deps, one.key, difference.item),
    })),
  }))
  return { ...answer, components }
}

/** Nothing where nobody has said that it may stay. */
function ignoredAt({ ignored, clock }: IgnoreDeps, key: string, item: string) {
  const row = ignored.of(key).find((one) => one.item === item && one.until > clock.now())
  if (row === undefined) return {}
  const { reason, actor, until } = row
  return { ignored: { reason, actor, until: isoTime(until) } }
}

/** Of the domain as a whole: what its parts can have done, each act once, the likeliest first. */
export async function explainedWithActs(deps: CoreParts, answer: ExplainedDomain) {
  const { domain_id, pending, served } = answer
  const ground = await actGround(deps)
  const components = answer.components.map(({ sidesOf, differences, ...one }) => ({
    ...one,
    differences: withSides(withActs(ground, one.component, differences), sidesOf),
  }))
  const served_too = served && {
    ...served,
    differences: withSides(withActs(ground, 'proxy', served.differences), undefined),
  }
  const quarantine = await deps.store.of(ssoRecords).quarantine()
  const kept_out = quarantine.filter((one) => one.domain_id === domain_id)
  const acts = eachOnce([
    ...kept_out.map(({ domain }) => liftAct(domain)),
    ...(pending ? [deployAct([domain_id])] : []),
    ...[...components, ...(served_too === null ? [] : [served_too])].flatMap(({ differences }) =>
      differences.flatMap((one) => one.acts),
    ),
  ])
  return { ...answer, acts, components, served: served_too }
}
