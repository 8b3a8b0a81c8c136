/** From settings to the credentials of this installation: its own keys, and those that others issued to it. */
import { join } from 'node:path'
import { credentialAges } from './files/credential-ages.ts'
import { keyFile } from '../../io/files/key-file.ts'
import { keyStore } from './files/key-store.ts'
import { warnIfReadable, warnIfShared } from './files/shared-directory.ts'
import { headerSecret, warnIfShort } from '../../config/kinds/basic.ts'
import type { Declared, Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Secret } from '../../kernel/secret.ts'
import { ForeignCredentials } from './credentials/foreign.ts'
import { KeyRing } from './key-ring.ts'
import type { Keys } from './key-view.ts'
import { WrongKeys } from '../../http/access/wrong-keys.ts'
import type { ForeignCredential } from './files/ages-port.ts'

export interface KeysParts {
  readonly settings: Settings
  /** All settings that there are. */
  readonly declared: readonly Declared[]
  readonly api_key_file: string | null
  readonly clock: Clock
  readonly log: Log
}

export interface MainKey {
  readonly key: Secret
  /** Null where the settings give it. */
  readonly key_path: string | null
}

/** The one that the settings give, else that of the data directory, made first where there is none. */
export async function mainKey({ settings, log }: Pick<KeysParts, 'settings' | 'log'>): Promise<MainKey> {
  const { data_dir } = settings.store
  await warnIfShared(data_dir, log)
  if (settings.http.api_key !== null) return { key: settings.http.api_key, key_path: null }
  const key_path = join(data_dir, 'api-key')
  const { key } = await keyFile(key_path)
  await warnIfReadable(key_path, log)
  return { key, key_path }
}

/** @param main the main key as it was found */
export function keysModule(parts: KeysParts, main: Secret): Keys {
  const { settings, api_key_file, clock, log } = parts
  const { data_dir } = settings.store
  const own = { path: join(data_dir, 'api-key'), is_ours: true }
  const theirs = api_key_file === null ? null : { path: api_key_file, is_ours: false }
  const files = keyStore(join(data_dir, 'api-keys.json'), settings.http.api_key === null ? own : theirs)
  const ages = credentialAges(join(data_dir, 'credential-ages.json'))
  return {
    ring: new KeyRing({ files, main, faultOf, clock, log }),
    foreign: new ForeignCredentials({ credentials: issuedByOthers(parts), ages, clock, log }),
    wrong: new WrongKeys(clock),
    clock,
  }
}

/** What API_KEY is refused or warned for at the start. */
function faultOf(key: Secret): string | null {
  const parsed = headerSecret.safeParse(key.reveal())
  return parsed.success ? warnIfShort(key) : (parsed.error.issues[0]?.message ?? 'is no key')
}

/** Agreed with a neighbour of ours, or a key of this API: nobody else issues these. */
const OURS: ReadonlySet<string> = new Set(['API_KEY', 'PLUMBLINE_PROXY_SECRET'])

function issuedByOthers({ settings, declared }: KeysParts): readonly ForeignCredential[] {
  return declared.flatMap(({ owner, key, setting: { name } }) => {
    const section = settings[owner as keyof Settings] as Readonly<Record<string, unknown>>
    const value = section[key]
    return value instanceof Secret && !OURS.has(name) ? [{ name, secret: value }] : []
  })
}
