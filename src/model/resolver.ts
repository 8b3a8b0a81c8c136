/**
 * What the resolver of a network answers by itself, before it asks anybody: names that its configuration overrides.
 *
 * Compared are effective answers and never lines: each product has rules of its own about subtrees, about the other
 * address type of a name, and about aliases. They stand in `resolver/`, one file for each kind of rules.
 */
import { adguardAnswer } from './resolver/adguard.ts'
import { dnsmasqAnswer } from './resolver/dnsmasq.ts'
import { addresses, indexed, type ResolverIndex, valuesOf } from './resolver/resolver-index.ts'
import { unboundAnswer } from './resolver/unbound.ts'
import { zonesAnswer } from './resolver/zones.ts'
import type { ResolverAnswer, ResolverProduct, ResolverView } from './resolver/view.ts'
import type { ManagedType } from './network/dns.ts'

type Rules = (index: ResolverIndex, name: string, type: ManagedType) => ResolverAnswer

const RULES: Readonly<Record<ResolverProduct, Rules>> = {
  dnsmasq: dnsmasqAnswer,
  pihole: dnsmasqAnswer,
  unbound: unboundAnswer,
  hosts: hostsAnswer,
  adguard: adguardAnswer,
  technitium: zonesAnswer,
}

/** Pure. Answers many questions to one view; names in the form of `model/network/dns.ts`, without a star. */
export function resolverAnswers(view: ResolverView): (name: string, type: ManagedType) => ResolverAnswer {
  const index = indexed(view)
  const rules = RULES[view.product]
  return (name, type) => rules(index, name, type)
}

/** hosts(5): exact names. The other address type of a name is looked up elsewhere. */
function hostsAnswer({ exact }: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  const values = valuesOf(exact.get(name), type)
  return values.length > 0 ? addresses(values) : { kind: 'forwarded' }
}
