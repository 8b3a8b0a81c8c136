/**
 * What a command needs of the settings to find a running daemon, read without the settings: loading them takes longer than the
 * whole answer. Null says that all of them are to be read, which says what is wrong.
 */
import { resolve } from 'node:path'
import { Secret } from '../kernel/secret.ts'
import { type Environment, lookUp, textOf } from './lookup.ts'
import { readSmallFile } from './read-file.ts'
import type { AnySetting } from './setting.ts'

export interface Nearby {
  readonly data_dir: string
  /** Somebody set it: it is not what the folder has in which the command was run. */
  readonly is_named: boolean
  readonly api_key: Secret | null
}

const VISIBLE = /^[\u0021-\u007e]{1,1024}$/
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** As `config/sections` declares them; a test holds the two together. */
export const DATA_DIR = { name: 'PLUMBLINE_DATA_DIR', default: './data' } as const
export const API_KEY = { name: 'API_KEY', secret: true } as const

export function nearby(env: Environment): Nearby | null {
  const named = textOf(env, DATA_DIR.name)
  const data_dir = named ?? DATA_DIR.default
  // A copy: reading a secret takes it out, and the settings may still be read.
  const key = lookUp(API_KEY as AnySetting, { ...env }, readSmallFile)
  if (key.kind === 'fault' || CONTROL.test(data_dir)) return null
  if (key.kind === 'found' && !VISIBLE.test(key.text)) return null
  return {
    data_dir: resolve(data_dir),
    is_named: named !== null,
    api_key: key.kind === 'found' ? new Secret(key.text) : null,
  }
}
