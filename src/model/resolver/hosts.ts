/** hosts(5): exact names. The other address type of a name is looked up elsewhere. */
import type { ManagedType } from '../network/dns.ts'
import type { ResolverAnswer } from './view.ts'
import { addresses, type ResolverIndex, valuesOf } from './resolver-index.ts'

export function hostsAnswer({ exact }: ResolverIndex, name: string, type: ManagedType): ResolverAnswer {
  const values = valuesOf(exact.get(name), type)
  return values.length > 0 ? addresses(values) : { kind: 'forwarded' }
}
