/** From settings to the companion: its sources beside what it is handed of DNS. */
import type { ValuesOf } from '../../../config/setting.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Companion } from '../../../http/companion.ts'
import type { Ddns } from '../ddns.ts'
import type { ddns as settings } from '../settings.ts'
import { type CompanionParts, ddnsCompanion } from './companion.ts'
import { AddressSources, type Uplinks } from './sources.ts'

export interface DdnsCompanionParts {
  readonly companion: Companion
  readonly sources: AddressSources
}

interface Given extends Pick<CompanionParts, 'published' | 'publish' | 'plan'> {
  readonly controllers: readonly Uplinks[]
}

export function ddnsCompanionParts(
  { ddns, clock }: { readonly ddns: Ddns; readonly clock: Clock },
  { listen, sources: set }: Pick<ValuesOf<typeof settings>, 'listen' | 'sources'>,
  { controllers, ...dns }: Given,
): DdnsCompanionParts {
  const sources = new AddressSources({ settings: set, controllers, ddns, clock })
  return { companion: ddnsCompanion({ listen, ddns, sources, ...dns }), sources }
}
