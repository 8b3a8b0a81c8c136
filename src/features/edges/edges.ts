/** Edges as one thing with parts: who was heard of, what they are served, and the watch over their silence. */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { EdgeClock } from '../../model/edge.ts'
import type { RoutesJson } from '../../ports/rendering.ts'
import type { Store } from '../../ports/store.ts'
import type { EventLog } from '../../operations/events/event-log.ts'
import type { WrongKeys } from '../../operations/keys/wrong-keys.ts'
import { EdgeContacts } from './contacts.ts'
import { EdgeRoutes } from './routes.ts'
import { EdgeWatch } from './watch.ts'

export interface EdgesOptions {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly offline_after_ms: Milliseconds
  readonly routesJson: RoutesJson
  /** Throws while nothing may go outside. */
  readonly assertNewest: () => Promise<void>
  readonly wrong_keys: WrongKeys
}

export interface Edges extends Pick<EdgesOptions, 'store' | 'clock' | 'wrong_keys'> {
  readonly contacts: EdgeContacts
  readonly routes: EdgeRoutes
  readonly watch: EdgeWatch
  /** What the states of this moment follow from. */
  readonly time: () => EdgeClock
}

export function edgesOf(options: EdgesOptions): Edges {
  const { store, events, clock, log, offline_after_ms, routesJson, assertNewest, wrong_keys } = options
  const listening_since: Instant = clock.now()
  const time = () => ({ now: clock.now(), offline_after_ms, listening_since })
  const contacts = new EdgeContacts({ store, events, log, time, cameBack: () => watch.changed() })
  const watch: EdgeWatch = new EdgeWatch({ store, events, clock, log, contacts, time })
  return {
    store,
    clock,
    contacts,
    routes: new EdgeRoutes(store, routesJson, assertNewest),
    watch,
    wrong_keys,
    time,
  }
}
