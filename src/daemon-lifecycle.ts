/** How the daemon opens and closes, each the other's reverse. */
import type { HostPort } from './config/kinds/network.ts'
import type { Settings } from './config/sections.ts'
import type { Engine } from './engine/engine.ts'
import type { HttpServer } from './http/socket/server.ts'
import { hostPort } from './model/network/address.ts'
import type { Background } from './core/background/background.ts'
import type { EventLog } from './core/events/event-log.ts'
import type { HeldLock } from './ports/lock.ts'
import type { Store } from './ports/store.ts'
import type { Lifecycle } from './feature/feature.ts'
import { VERSION } from './kernel/version.ts'

/** How long a pass under way may go on after the daemon was told to stop. */
const DRAIN_MS = 7000
/** The engine has turned everybody away by then: what is left is to write their answers down. */
const LAST_OPERATIONS_MS = 1000
const LAST_EVENTS_MS = 500

export interface CompanionServer {
  readonly name: string
  readonly host: string
  readonly server: HttpServer
}

export interface RunningParts {
  readonly settings: Settings
  readonly lock: HeldLock
  readonly store: Store
  readonly engine: Engine
  readonly server: HttpServer
  /** Services that listen on an address of their own, too. */
  readonly beside: readonly CompanionServer[]
  readonly events: EventLog
  readonly background: Background
  /** In the order in which they are prepared; what a part needs stands before it. */
  readonly lifecycles: readonly Lifecycle[]
}

export interface DaemonLifecycle {
  /** Where companions listen by themselves, by name; known once the daemon is open. */
  companions(): Readonly<Record<string, string>>
  /** Begins to listen, to tick and to heal. Resolves with the address. */
  open(): Promise<string>
  /** Once; whoever calls it again waits for the same end. */
  close(): Promise<void>
}

/** Reads what is to be known before anybody is let in. */
export async function prepareDaemon({
  events,
  engine,
  background,
  lifecycles,
}: Pick<RunningParts, 'events' | 'engine' | 'background' | 'lifecycles'>): Promise<void> {
  await events.prepare()
  for (const lifecycle of lifecycles) await lifecycle.prepare?.()
  await engine.prepare()
  await background.prepare()
}

export function daemonLifecycle(parts: RunningParts): DaemonLifecycle {
  const { settings, lock, store, engine, server, beside, events, background, lifecycles } = parts
  const reverse = lifecycles.toReversed()
  const addresses = new Map<string, string>()
  let listening = false
  let closing: Promise<void> | null = null
  const stopServers = async () => {
    await Promise.all([...beside.toReversed(), { server }].map((one) => one.server.stop()))
  }
  return {
    companions: () => Object.fromEntries(addresses),
    async open() {
      // Those beside first: where one cannot, nobody was let in yet.
      for (const { name, host, server: own } of beside)
        addresses.set(name, urlOf({ host, port: (await own.listen()).port }))
      const { port } = await server.listen()
      listening = true
      const address = urlOf({ ...settings.http.listen, port })
      lock.announce(address)
      events.note('started', `The daemon listens on ${address}.`, { version: VERSION, address })
      engine.start()
      for (const lifecycle of lifecycles) lifecycle.start?.(address)
      return address
    },
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    if (listening) events.note('stopping', 'The daemon was told to stop.')
    await events.end(LAST_EVENTS_MS)
    const drained = stopServers()
    for (const lifecycle of reverse) await lifecycle.stop?.()
    await engine.stop(DRAIN_MS)
    await background.stop(LAST_OPERATIONS_MS)
    for (const lifecycle of reverse) await lifecycle.close?.()
    await drained
    await events.end(LAST_EVENTS_MS)
    await store.close()
    lock.release()
  }
}

export const urlOf = ({ host, port }: HostPort): string => `http://${hostPort(host, port)}`
