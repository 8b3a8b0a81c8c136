/**
 * A client of the SSH gateway out of a file: nothing of it is believed. It ends up as a line of `authorized_keys`, where a
 * newline in an option would begin a line of its own.
 */
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import { isRecord } from '../../kernel/text/lenient.ts'
import type { SshClient } from './client.ts'
import { askedAgain, type KeyOptions, PERMISSIONS, readOptions } from './options.ts'
import { isSafeName, parseKey } from './public-key.ts'

export type ReadClient =
  | { readonly ok: true; readonly client: SshClient }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

const FLAGS = [...Object.keys(PERMISSIONS), 'verify_required', 'no_touch_required']
const LISTS = ['from', 'permit_open', 'permit_listen']
const OPTIONS: readonly string[] = [...FLAGS, ...LISTS, 'command', 'expires_at']
/** Of the year 9999. */
const LAST_INSTANT = 253_402_300_799_999

export function readClient(value: unknown): ReadClient {
  if (!isRecord(value)) return refused(fieldError([], 'must be an object', 'object_type'))
  const { type, key, name, options, fingerprint, revision, created_at, updated_at } = value
  const parsed =
    typeof type === 'string' && typeof key === 'string'
      ? parseKey(type, key)
      : { ok: false as const, msg: 'must be a text, as must its type', type: 'ssh_key' }
  if (!parsed.ok) return refused(fieldError(['key'], parsed.msg, parsed.type))
  const errors: FieldError[] = []
  const fault = (field: string, msg: string) => void errors.push(fieldError([field], msg, 'ssh_client'))
  if (fingerprint !== parsed.value.fingerprint) fault('fingerprint', 'is not that of the key')
  if (typeof name !== 'string' || !isSafeName(name)) fault('name', 'must be 1 to 64 of A-Z a-z 0-9 @ . _ -')
  if (!isCount(revision) || revision === 0) fault('revision', 'must be a whole number from 1')
  for (const [field, at] of Object.entries({ created_at, updated_at }))
    if (!isInstant(at)) fault(field, 'must be a time in milliseconds')
  const read = optionsOf(options, parsed.value.type.startsWith('sk-'))
  errors.push(...read.errors)
  if (errors.length > 0 || read.options === null) return refused(...errors)
  const facts = { name, revision, created_at, updated_at } as Pick<
    SshClient,
    'name' | 'revision' | 'created_at' | 'updated_at'
  >
  return { ok: true, client: { ...parsed.value, ...facts, options: read.options } }
}

const refused = (...errors: readonly FieldError[]): ReadClient => ({ ok: false, errors })

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isInstant = (value: unknown): value is number => isCount(value) && value <= LAST_INSTANT

/** All of them must be there: what is left out could be a limit. */
function optionsOf(value: unknown, on_token: boolean) {
  if (!isRecord(value))
    return { options: null, errors: [fieldError(['options'], 'must be an object', 'object_type')] }
  const errors = [
    ...Object.keys(value)
      .filter((name) => !OPTIONS.includes(name))
      .map((name) => fieldError(['options', name.slice(0, 64)], 'is not known', 'extra_forbidden')),
    ...OPTIONS.flatMap((name) => {
      const fault = typeFault(name, value[name])
      return fault === null ? [] : [fieldError(['options', name], fault, 'ssh_option')]
    }),
  ]
  if (errors.length > 0) return { options: null, errors }
  const stored = value as unknown as KeyOptions
  const read = readOptions(askedAgain(stored), { defaults: stored, on_token })
  return {
    options: read.options,
    errors: read.errors.map((error) => ({ ...error, loc: error.loc.slice(1) })),
  }
}

function typeFault(name: string, value: unknown): string | null {
  if (FLAGS.includes(name)) return typeof value === 'boolean' ? null : 'must be true or false'
  if (LISTS.includes(name))
    return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
      ? null
      : 'must be a list of texts'
  if (name === 'command') return value === null || typeof value === 'string' ? null : 'must be a text or null'
  return value === null || isInstant(value) ? null : 'must be a time in milliseconds or null'
}
