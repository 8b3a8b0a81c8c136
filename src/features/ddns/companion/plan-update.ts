/** The plan of a forced update: the addresses that it would take, and what bringing DNS to the release would do as of now. */
import { named } from '../../../core/check.ts'
import { type Plan, type PlannedAction, sealPlan } from '../../../model/plan.ts'
import type { UpdateAnswer } from '../addresses/update-address.ts'
import type { Ddns } from '../ddns.ts'

/** Pure. @param dns the plan of DNS, with the addresses that are known now */
export function planUpdate(
  dns: Plan,
  taken: readonly UpdateAnswer[],
  { addresses }: { readonly addresses: Pick<Ddns['addresses'], 'find'> },
): Plan {
  const actions = taken.flatMap((answer) => actionsOf(answer, addresses.find(answer.host)?.reported ?? null))
  const followed = taken.filter(
    (answer) => answer.because === null && answer.addresses.some(({ outcome }) => outcome === 'changed'),
  )
  const follow =
    followed.length === 0
      ? []
      : [
          `Records that publish the address of ${named(followed.map(({ host }) => host))} follow it; this plan does not list them.`,
        ]
  return sealPlan({ ...dns, actions: [...actions, ...dns.actions], warnings: [...dns.warnings, ...follow] })
}

type Known = Readonly<Record<'ipv4' | 'ipv6', string | null>>

const actionsOf = ({ host, addresses }: UpdateAnswer, known: Known | null): readonly PlannedAction[] =>
  addresses.flatMap(({ address, type, outcome }) => {
    if (outcome === 'unchanged') return []
    const before = known?.[type === 'A' ? 'ipv4' : 'ipv6'] ?? null
    return {
      component: 'ddns',
      verb: before === null ? 'create' : 'update',
      item: `${type} reported for ${host}`,
      before,
      after: outcome === 'waiting' ? `${address}, when it is due` : address,
      reason: 'release',
      of_neighbour: false,
      needs: [],
    }
  })
