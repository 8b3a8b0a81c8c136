/** From settings to who may sign in to the console, and who has. Built before the features: the façade asks it of every call. */
import type { Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { SessionDoor } from './session-endpoints.ts'
import { SessionRegistry, type SessionRegistryParts } from './sessions/registry.ts'
import { SignInCodes } from './sessions/codes.ts'
import { byReaders, wrongHere } from './sessions/sign-in.ts'
import type { TriedKeys } from '../../core/core.ts'

interface ConsoleParts extends Pick<SessionRegistryParts, 'world' | 'events'> {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly ring: Pick<KeyRing, 'prove' | 'lasting' | 'onChange'>
  readonly wrong_keys: TriedKeys
}

export function consoleModule({
  settings,
  store,
  clock,
  log,
  ring,
  wrong_keys,
  world,
  events,
}: ConsoleParts): SessionDoor {
  const lasting = (id: string) => ring.lasting(id)
  const registry = new SessionRegistry({ store, clock, log, lasting, world, events })
  ring.onChange(() => registry.keysChanged())
  return {
    store,
    clock,
    registry,
    codes: new SignInCodes(clock),
    wrong_keys,
    wrong_here: wrongHere(),
    by_readers: byReaders(),
    proveKey: (text) => ring.prove(text),
    lasting,
    is_open_near: settings.console.sign_in === 'near',
    has_sso: settings.http.trusted_proxies.length > 0,
    sso_sign_out: new URL('/logout', settings.people.portal_url ?? settings.routes.sso_url).href,
  }
}
