/** From the DNS module to what certificates need of it: TXT records for challenges, and what CAA records allow. */
import { createLookup } from './lookup/create-lookup.ts'
import { systemResolvers } from './lookup/system-resolvers.ts'
import type { Settings } from '../../config/sections.ts'
import type { DnsModule } from './dns-wiring.ts'
import type { Clock } from '../../kernel/clock.ts'
import { CaaLookup } from './challenges/caa-lookup.ts'
import { ChallengeVisibility } from './challenges/visibility.ts'
import { sparing } from './zones/sparing-lookup.ts'
import type { CaaCheck } from './challenges/caa-port.ts'
import type { ChallengeRecords } from './challenges/port.ts'

export interface ChallengeModule {
  readonly records: ChallengeRecords
  readonly caa: CaaCheck
}

export interface ChallengeModuleParts {
  readonly settings: Pick<Settings, 'resolver'>
  readonly dns: Pick<DnsModule, 'challenges' | 'service'>
  readonly clock: Clock
}

export function challengeModule({
  settings: { resolver },
  dns,
  clock,
}: ChallengeModuleParts): ChallengeModule {
  const lookup = createLookup()
  const resolvers = async () => (resolver.resolvers.length > 0 ? resolver.resolvers : systemResolvers())
  const { authoritative } = resolver
  const zoneFor = (name: string) => dns.service.zoneFor(name)
  const visibility = new ChallengeVisibility({ lookup, clock, authoritative, resolvers, zoneFor })
  const { challenges } = dns
  return {
    records: {
      obstacle: (name, signal) => challenges.obstacle(name, signal),
      present: (record, signal) => challenges.present(record, signal),
      remove: (record, signal) => challenges.remove(record, signal),
      visible: (record, signal) => visibility.visible(record, signal),
    },
    caa: new CaaLookup({ lookup: sparing(lookup, clock), resolvers }),
  }
}
