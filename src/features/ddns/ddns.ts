/** Dynamic DNS as one thing with parts: tokens, addresses, limits, and the clock of the rotation. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { inNetworks } from '../../model/network/public-address.ts'
import type { Schedule } from '../../ports/schedule.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { TriedKeys } from '../../core/core.ts'
import { AddressRegistry } from './addresses/address-registry.ts'
import { rotationByCalendar } from './tokens/rotate-by-schedule.ts'
import { RefusedReports } from './addresses/refused-reports.ts'
import { settleTimer } from './addresses/settle-timer.ts'
import { hasRecord } from './hosts/known-hosts.ts'
import { TokenRegistry } from './tokens/token-registry.ts'

export interface DdnsOptions {
  readonly store: Store
  readonly events: EventLog
  readonly clock: Clock
  readonly log: Log
  readonly schedule: Schedule
  /** The name whose address all domains share that have none of their own; null where there is none. */
  readonly hub_host: string | null
  /** The addresses of the names that have no other. */
  readonly public_ip: readonly string[]
  /** Networks (CIDR) whose addresses may be reported although they are not public. */
  readonly private_networks: readonly string[]
  /** Under which address routers reach us, without a slash at its end; null for the one that is listened on. */
  readonly public_url: string | null
  /** The address that is listened on, as far as it is known before listening. */
  readonly listen_url: string
  readonly wrong_keys: TriedKeys
  /** Names of ours at which somebody else's record stands: `A www.example.com`. */
  readonly strangers: () => ReadonlySet<string>
}

export interface Ddns extends Pick<
  DdnsOptions,
  'store' | 'clock' | 'hub_host' | 'public_ip' | 'wrong_keys' | 'strangers'
> {
  readonly private_too: (address: string) => boolean
  /** `https://plumbline.example.com`, without a slash at its end. */
  readonly baseUrl: () => string
  readonly tokens: TokenRegistry
  readonly addresses: AddressRegistry
  readonly refused: RefusedReports
  /** Reads what must be known before the first update. */
  prepare(): Promise<void>
  /** Begins to rotate by the schedule, and to take addresses that are due. @param listen_url where it is listened now */
  start(listen_url: string): void
  stop(): Promise<void>
}

const STOP_MS: Milliseconds = 5000

export function dynamicDns(options: DdnsOptions): Ddns {
  const { store, events, clock, log, schedule, hub_host, public_ip, private_networks, public_url } = options
  let listen_url = options.listen_url
  const tokens = new TokenRegistry(store)
  const eventsAdded = () => events.added()
  const isNamed = async (reader: StoreReader, host: string) =>
    host === hub_host || (await hasRecord(reader, host))
  const addresses = new AddressRegistry({ store, clock, log, eventsAdded, isNamed })
  const refused = new RefusedReports({
    clock,
    events,
    isKnown: (host) =>
      addresses.find(host) !== null ||
      tokens.list().some((token) => token.host === host) ||
      host === hub_host,
  })
  const rotation = rotationByCalendar({ store, events, clock, log, tokens, schedule })
  const settling = settleTimer({ addresses, clock, log })
  return {
    store,
    clock,
    hub_host,
    public_ip,
    baseUrl: () => public_url ?? listen_url,
    private_too: inNetworks(private_networks),
    tokens,
    addresses,
    refused,
    wrong_keys: options.wrong_keys,
    strangers: options.strangers,
    async prepare() {
      await tokens.load()
      await addresses.load()
    },
    start(listening_at) {
      listen_url = listening_at
      rotation.start()
      settling.start()
    },
    async stop() {
      await settling.stop({ grace_ms: STOP_MS })
      await rotation.stop()
    },
  }
}
