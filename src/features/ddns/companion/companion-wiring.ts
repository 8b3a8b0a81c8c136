/** From settings to the companion: its sources, what is published, and how DNS is brought to it. */
import type { ValuesOf } from '../../../config/setting.ts'
import type { CoreParts } from '../../../core/parts.ts'
import type { Companion } from '../../../http/companion.ts'
import { reconcile } from '../../deploy/reconcile.ts'
import type { DiscoveryService } from '../../discovery/service.ts'
import type { DnsWatch } from '../../dns/integrity/watch.ts'
import type { PropagationState } from '../../dns/integrity/propagation.ts'
import type { Ddns } from '../ddns.ts'
import type { ddns as settings } from '../settings.ts'
import { ddnsCompanion } from './companion.ts'
import { AddressSources } from './sources.ts'
import type { StatusParts } from './status.ts'
import type { Published } from '../views.ts'

export interface DdnsCompanionParts {
  readonly companion: Companion
  readonly sources: AddressSources
}

interface Given {
  readonly lab: DiscoveryService
  readonly dns_watch: DnsWatch
}

export function ddnsCompanionParts(
  deps: CoreParts & { readonly ddns: Ddns },
  { listen, sources: set }: Pick<ValuesOf<typeof settings>, 'listen' | 'sources'>,
  { lab, dns_watch }: Given,
): DdnsCompanionParts {
  const { ddns, clock } = deps
  const sources = new AddressSources({ settings: set, lab, ddns, clock })
  const companion = ddnsCompanion({
    listen,
    ddns,
    sources,
    published: () => publishedIn(dns_watch),
    publish: async (caller) => {
      const answer = await reconcile(deps, 'dns', caller)
      return 'components' in answer ? answer.components : []
    },
  })
  return { companion, sources }
}

const STATES: Readonly<Record<PropagationState, Published['state']>> = {
  synced: 'in_place',
  propagating: 'pending',
  slow: 'different',
  unknown: 'unknown',
}

function publishedIn({ integrity }: DnsWatch): ReturnType<StatusParts['published']> {
  const { last } = integrity
  if (last === null) return null
  const sets = last.names.map(({ set, state }) => ({
    name: set.name,
    type: set.type,
    values: set.values,
    state: STATES[state],
  }))
  return { sets, checked_at: last.checked_at }
}
