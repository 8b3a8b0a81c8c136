/** Things with the place where they were seen, and the domains that they are measured against. */
import type { Container, HostPlace, LanHost } from './model/lab-port.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { HostLook } from './looks.ts'
import type { Pointing } from './model/match.ts'

export interface PlacedContainer {
  readonly at: string
  readonly place: HostPlace
  readonly container: Container
}

export interface PlacedLanHost {
  readonly at: string
  readonly host: LanHost
}

export const placedContainers = (looks: readonly HostLook[]): readonly PlacedContainer[] =>
  looks.flatMap(({ name: at, place, look }) =>
    look.known ? look.state.containers.map((container) => ({ at, place, container })) : [],
  )

const MAX_DOMAINS = 1_000_000

export const allDomains = async (store: StoreReader): Promise<readonly Pointing[]> =>
  (await store.domains({ sort: 'domain', limit: MAX_DOMAINS })).records
