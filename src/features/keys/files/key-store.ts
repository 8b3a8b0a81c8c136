/** API keys in two files that only their owner can read: the digests of all, and the main key itself. */
import { readFile } from 'node:fs/promises'
import { systemErrorCode } from '../../../kernel/failure.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ApiKey, KeyStore } from './port.ts'
import { readFault } from '../../../io/files/faults.ts'
import { readKeyFile, readOwnKeyFile } from '../../../io/files/key-file.ts'
import { writeAtomically } from '../../../io/files/write-atomically.ts'

const OWNER_ONLY = { mode: 0o600 } as const

/** Where the main key stands; null where the environment gives it. */
export type MainKeyFile = { readonly path: string; readonly is_ours: boolean } | null

export const keyStore = (path: string, main: MainKeyFile): KeyStore => ({
  async load() {
    try {
      return keysIn(await readFile(path, 'utf8'), path)
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return []
      throw error instanceof Failure ? error : readFault(error, path)
    }
  },
  save: (keys) => writeAtomically(path, [Buffer.from(`${JSON.stringify({ keys }, null, 2)}\n`)], OWNER_ONLY),
  main:
    main === null
      ? null
      : {
          ...main,
          read: () => (main.is_ours ? readOwnKeyFile(main.path) : readKeyFile(main.path)),
          write: (key) => writeAtomically(main.path, [Buffer.from(`${key.reveal()}\n`)], OWNER_ONLY),
        },
})

/** A file that cannot be believed lets nobody in and stops the start: who was to be shut out must not be forgotten. */
function keysIn(text: string, path: string): readonly ApiKey[] {
  const keys = listIn(text)
  if (keys?.every(isKey) === true) return keys
  throw new Failure(
    'bad_configuration',
    `${path} is damaged. Restore it, or remove it: all issued keys end then.`,
  )
}

function listIn(text: string): readonly unknown[] | null {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown }
    return Array.isArray(keys) ? keys : null
  } catch {
    return null
  }
}

function isKey(value: unknown): value is ApiKey {
  const { id, name, digest, access, created_at, expires_at } = (value ?? {}) as Partial<
    Record<keyof ApiKey, unknown>
  >
  return (
    [id, name].every((text) => typeof text === 'string') &&
    typeof digest === 'string' &&
    /^[0-9a-f]{64}$/.test(digest) &&
    (access === undefined || access === 'read') &&
    Number.isSafeInteger(created_at) &&
    (expires_at === null || Number.isSafeInteger(expires_at))
  )
}
