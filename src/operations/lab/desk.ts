/** What operations know of the network: container hosts and network controllers, each looked at when somebody asks. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type {
  ContainerHost,
  Containers,
  ControllerState,
  HostPlace,
  NetworkController,
} from '../../ports/lab.ts'
import { RecentLook } from './recent-look.ts'

export interface LabDesk {
  readonly hosts: readonly DeskHost[]
  readonly controllers: readonly RecentLook<ControllerState>[]
  /** Begins to listen for hints. */
  start(): void
  stop(): Promise<void>
}

export interface DeskHost {
  readonly place: HostPlace
  readonly containers: RecentLook<Containers>
}

const KEEP_CONTAINERS_MS: Milliseconds = 5000
const KEEP_CLIENTS_MS: Milliseconds = 15_000
/** Changes come in bursts: one look serves all of a second. */
const LISTEN_AGAIN_MS: Milliseconds = 1000
/** A host that cannot be listened to is asked by and by. */
const LISTEN_LATER_MS: Milliseconds = 30_000

export interface LabDeskParts {
  readonly clock: Clock
  readonly hosts: readonly ContainerHost[]
  readonly controllers: readonly NetworkController[]
}

export function labDesk({ clock, hosts, controllers }: LabDeskParts): LabDesk {
  const end = new AbortController()
  const listening: Promise<void>[] = []
  const kept = hosts.map((host) => ({
    host,
    place: host.place,
    containers: new RecentLook({
      name: host.name,
      clock,
      keep_ms: KEEP_CONTAINERS_MS,
      look: (signal) => host.look(signal),
    }),
  }))
  const looks = controllers.map(
    (controller) =>
      new RecentLook({
        name: controller.name,
        clock,
        keep_ms: KEEP_CLIENTS_MS,
        look: (signal) => controller.look(signal),
      }),
  )
  const listen = async (host: ContainerHost, containers: RecentLook<Containers>) => {
    while (!end.signal.aborted) {
      const came = await host.changed(end.signal)
      if (came) containers.changed()
      await clock.sleep(came ? LISTEN_AGAIN_MS : LISTEN_LATER_MS, end.signal).catch(() => undefined)
    }
  }
  return {
    hosts: kept,
    controllers: looks,
    start() {
      for (const { host, containers } of kept) listening.push(listen(host, containers))
    },
    async stop() {
      end.abort()
      for (const { containers } of kept) containers.stop()
      for (const look of looks) look.stop()
      await Promise.all(listening)
    },
  }
}
