/** Where a setting's text comes from: a systemd credential, the file that its twin names, the environment. */
import { join } from 'node:path'
import { systemErrorCode } from '../kernel/failure.ts'
import type { ReadFile } from './read-file.ts'
import type { AnySetting } from './setting.ts'

/** Read settings are looked up in it; secrets are taken out of it. */
export type Environment = Record<string, string | undefined>

export type Source = 'default' | 'environment' | 'file' | 'credential'

export type Lookup =
  | { readonly kind: 'found'; readonly text: string; readonly source: Source; readonly path?: string }
  | { readonly kind: 'unset' }
  | { readonly kind: 'fault'; readonly msg: string }

export const fileTwin = (name: string): string => `${name}_FILE`

/**
 * The text of one setting. Empty and blank mean unset. A secret is looked for in `$CREDENTIALS_DIRECTORY/<name>`, then
 * in the file that `<name>_FILE` names, then in the variable, and the variable is deleted whatever was found: children
 * and diagnostic reports must not see it.
 */
export function lookUp(setting: AnySetting, env: Environment, read: ReadFile): Lookup {
  const plain = textOf(env, setting.name)
  if (!setting.secret) return plain === null ? UNSET : { kind: 'found', text: plain, source: 'environment' }
  delete env[setting.name]

  const folder = textOf(env, 'CREDENTIALS_DIRECTORY')
  const credential = folder === null ? UNSET : fromFile(join(folder, setting.name), 'credential', read)
  if (credential.kind !== 'unset') return credential

  const path = textOf(env, fileTwin(setting.name))
  if (path !== null) {
    const found = fromFile(path, 'file', read)
    return found.kind === 'unset'
      ? { kind: 'fault', msg: `could not be read: there is no file ${path} (${fileTwin(setting.name)})` }
      : found
  }
  return plain === null ? UNSET : { kind: 'found', text: plain, source: 'environment' }
}

const UNSET: Lookup = { kind: 'unset' }

export function textOf(env: Environment, name: string): string | null {
  const text = env[name]?.trim() ?? ''
  return text === '' ? null : text
}

/** One line break at the end of the file is not part of the secret. */
function fromFile(path: string, source: Source, read: ReadFile): Lookup {
  try {
    const text = read(path)?.replace(/\r?\n$/, '')
    if (text === undefined) return UNSET
    return text === ''
      ? { kind: 'fault', msg: `could not be read: ${path} is empty` }
      : { kind: 'found', text, source, path }
  } catch (error) {
    const reason = systemErrorCode(error) ?? (error as Error).message
    return { kind: 'fault', msg: `could not be read from ${path} (${reason})` }
  }
}
