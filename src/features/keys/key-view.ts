/** An API key as callers see it: everything but the key. */
import { isoTime, type Clock, isoTimeOrNull } from '../../kernel/clock.ts'
import { hasEnded } from '../../kernel/issued-secret.ts'
import type { ApiKey } from './files/port.ts'
import type { ForeignCredentials } from './credentials/foreign.ts'
import { isRotationDue } from '../../kernel/quarterly.ts'
import type { KeyRing } from './key-ring.ts'
import type { WrongKeys } from '../../http/access/wrong-keys.ts'
import type { KeyView } from './views.ts'

export interface Keys {
  readonly ring: KeyRing
  /** Those that others issued. */
  readonly foreign: ForeignCredentials
  /** Who tried wrong ones. */
  readonly wrong: WrongKeys
  readonly clock: Clock
}

export function keyView({ ring, clock }: Keys, key: ApiKey): KeyView {
  const used = ring.lastUsed(key)
  return {
    id: key.id,
    name: key.name,
    state: stateOf(key, clock.now()),
    access: key.access ?? 'everything',
    created_at: isoTime(key.created_at),
    expires_at: isoTimeOrNull(key.expires_at),
    last_used_at: isoTimeOrNull(used),
  }
}

/** Why a call cannot rotate the main key, as what does; null where it can. */
export function rotatedElsewhere({ main_file }: Pick<KeyRing, 'main_file'>): string | null {
  if (main_file?.is_ours === true) return null
  return main_file === null
    ? 'The environment gives this key: set another API_KEY and restart.'
    : `Write another key into ${main_file.path}: it is taken within seconds.`
}

/** One that is due stays valid until it has a successor and that one's grace is over. */
function stateOf(key: ApiKey, now: number): KeyView['state'] {
  if (hasEnded(key, now)) return 'ended'
  if (key.expires_at !== null) return 'ending'
  return isRotationDue(key.created_at, now) ? 'rotation_due' : 'valid'
}

export const listKeys = (keys: Keys): readonly KeyView[] => keys.ring.list().map((key) => keyView(keys, key))
