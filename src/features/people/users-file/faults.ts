/**
 * What makes Authelia refuse a users file. It takes all of it or nothing, so one broken entry shuts everybody's change
 * out. Source: its loader (4.39), which ignores unknown keys where its JSON schema forbids them.
 */
import type { UserFault } from '../../../ports/users-file.ts'

type Attributes = ReadonlyMap<unknown, unknown>

/** Digests that the loader of the users file knows. `$plaintext$` and `$base64$` are none of them. */
const DIGESTS = [
  /^\$argon2(?:id|i|d)\$v=19\$[mtpk]=\d+(?:,[mtpk]=\d+){2,3}\$[A-Za-z0-9/+]+\$[A-Za-z0-9/+]+$/,
  /^\$scrypt\$ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9/+]+\$[A-Za-z0-9/+]+$/,
  /^\$y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]*\$[./A-Za-z0-9]+$/,
  /^\$pbkdf2(?:-sha(?:1|224|256|384|512))?\$\d+\$[A-Za-z0-9/.]+\$[A-Za-z0-9/.]+$/,
  /^\$bcrypt-sha256\$v=2,t=2b,r=\d+\$[A-Za-z0-9/.]+\$[A-Za-z0-9/.]+$/,
  /^\$2[abxy]?\$\d+\$[A-Za-z0-9./]+$/,
  /^\$[56]\$(?:rounds=\d+\$)?[A-Za-z0-9./]*\$[A-Za-z0-9./]+$/,
]

const MAX_DIGEST = 1024
const MAX_NAME = 100

const isDigest = (text: string): boolean =>
  text.length <= MAX_DIGEST && DIGESTS.some((digest) => digest.test(text))

/** Of the whole file, the first of each user. */
export function usersFaults(users: ReadonlyMap<unknown, unknown>): readonly UserFault[] {
  if (users.size === 0) return [{ username: null, msg: 'has no users; the provider refuses such a file' }]
  return [...users].flatMap(([name, entry]) => {
    const username = String(name)
    const msg = username.length > MAX_NAME ? 'has a name of more than 100 characters' : userFault(entry)
    return msg === null ? [] : [{ username, msg }]
  })
}

function userFault(entry: unknown): string | null {
  if (!(entry instanceof Map)) return 'is no mapping of attributes'
  const attributes: Attributes = entry
  for (const [name, fault] of CHECKS) {
    const msg = fault(attributes.get(name))
    if (msg !== null) return `has ${name}, which ${msg}`
  }
  return null
}

type Check = (value: unknown) => string | null

const isText = (value: unknown): boolean => ['string', 'number', 'boolean', 'bigint'].includes(typeof value)

const password: Check = (value) => {
  if (typeof value !== 'string') return 'is missing or no text'
  if (value.startsWith('Digest: ')) return 'begins with "Digest: ", pasted with it; take that away'
  return isDigest(value) ? null : 'is no digest that the provider reads'
}

const required: Check = (value) => (isText(value) && value !== '' ? null : 'is missing or no text')
const text: Check = (value) => (value === null || value === undefined || isText(value) ? null : 'is no text')

const groups: Check = (value) =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.every((name) => name === null || isText(name)))
    ? null
    : 'is no list of names'

const disabled: Check = (value) =>
  value === null || value === undefined || typeof value === 'boolean' || readsAsBoolean(value)
    ? null
    : 'is neither true nor false; write it without quotes'

const uri: Check = (value) => {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'string' && URL.canParse(value) ? null : 'is no URI'
}

const locale: Check = (value) => {
  if (value === null || value === undefined || value === '') return null
  try {
    return typeof value === 'string' && Intl.getCanonicalLocales(value).length === 1
      ? null
      : 'is no language tag'
  } catch {
    return 'is no language tag such as en-GB'
  }
}

const address: Check = (value) =>
  value === null || value === undefined || value instanceof Map ? null : 'is no mapping'

const CHECKS: readonly (readonly [string, Check])[] = [
  ['password', password],
  ['displayname', required],
  ['email', text],
  ['groups', groups],
  ['disabled', disabled],
  ['website', uri],
  ['profile', uri],
  ['picture', uri],
  ['locale', locale],
  ['address', address],
  ['extra', address],
]

// Words that a Go reader takes for booleans where a boolean is asked for (YAML 1.1), in these spellings, quoted or not.
const TRUE = ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON']
const FALSE = ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF']
const readsAsBoolean = (value: unknown): boolean =>
  typeof value === 'string' && [...TRUE, ...FALSE].includes(value)

/** `"true"` in quotes is a text, for which the provider refuses the file; so it disables nobody. */
export const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && TRUE.includes(value))
