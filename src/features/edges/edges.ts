/** Edges as one thing with parts: who was heard of, what they are served, and the watch over their silence. */
import type { Core } from '../../core/core.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Servable } from '../routes/opens/exclude-routes.ts'
import type { ReleasedRoutes } from '../routes/target/released.ts'
import { EdgeContacts } from './contacts.ts'
import { EdgeRoutes } from './routes.ts'
import type { DueLoop } from '../../kernel/async/due-loop.ts'
import { edgeWatch } from './watch.ts'

export interface EdgesOptions extends Omit<Core, 'engine' | 'stamp'> {
  readonly offline_after_ms: Milliseconds
  readonly released: ReleasedRoutes
  readonly servable: Servable
}

export interface Edges extends Pick<EdgesOptions, 'store' | 'clock' | 'wrong_keys' | 'commit' | 'baseUrl'> {
  readonly contacts: EdgeContacts
  readonly routes: EdgeRoutes
  readonly watch: DueLoop
  /** What is set of one is other than before. */
  readonly changed: () => void
}

export function edgesOf(options: EdgesOptions): Edges {
  const { store, events, clock, log, offline_after_ms } = options
  const { wrong_keys, commit, baseUrl } = options
  const contacts = new EdgeContacts({
    store,
    events,
    clock,
    log,
    offline_after_ms,
    cameBack: () => watch.changed(),
  })
  const watch: DueLoop = edgeWatch({ store, events, clock, log, contacts })
  return {
    store,
    clock,
    contacts,
    routes: new EdgeRoutes(options),
    watch,
    changed: () => {
      watch.changed()
      events.hint('edge', 'What is set of the edges reads otherwise.')
    },
    wrong_keys,
    commit,
    baseUrl,
  }
}
