/**
 * Facts as plain, bounded, harmless data: whatever is handed to the log can be written, cannot stall it, and shows no
 * secret. Nothing in here throws: a log line must not be the reason that work fails.
 */
import { Failure } from '../../kernel/failure.ts'
import { mayHoldSecret, secretHider } from '../../kernel/text/secret-shapes.ts'

const DEEPEST = 8
const MAX_MEMBERS = 100
/** For one line: how many values it may hold, and how many characters of text. */
const MAX_VALUES = 1000
const MAX_LINE_TEXT = 64 * 1024
const MAX_TEXT = 8192
const MAX_WORD = 512

export type Plain = string | number | boolean | null | Plain[] | PlainObject
export interface PlainObject {
  [name: string]: Plain
}

/** Facts may not take the place of the line's own members. */
const TAKEN = new Set(['level', 'time', 'msg'])

export function plainFacts(facts: Readonly<Record<string, unknown>>): PlainObject {
  const walk = new Walk()
  const members = walk.members(membersOf(facts), [])
  return plainObject(
    Object.entries(members).map(([name, value]) => [TAKEN.has(name) ? `${name}_` : name, value]),
  )
}

export const plainText = (text: string): string => new Walk().text(text)

/** One line's way through its facts, and what it may still hold. */
class Walk {
  #values_left = MAX_VALUES
  #text_left = MAX_LINE_TEXT

  value(value: unknown, above: readonly object[]): Plain {
    if (--this.#values_left < 0) return '[more]'
    switch (typeof value) {
      case 'string':
        return this.text(value)
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'boolean':
        return value
      case 'bigint':
        return String(value)
      case 'object':
        return value === null ? null : this.#object(value, above)
      case 'undefined':
      case 'function':
      case 'symbol':
        return `[${typeof value}]`
    }
  }

  text(text: string): string {
    const most = Math.max(0, Math.min(MAX_TEXT, this.#text_left))
    this.#text_left -= Math.min(text.length, most)
    if (text.length <= most) return hideSecrets(text)
    const kept = withoutLastWord(text.slice(0, most))
    return `${hideSecrets(kept)}… (${text.length - kept.length} more characters)`
  }

  members(members: readonly (readonly [unknown, unknown])[], above: readonly object[]): PlainObject {
    const given = members.filter(([, value]) => value !== undefined)
    const plain = given.slice(0, MAX_MEMBERS).map(([key, value]): [string, Plain] => {
      const name = this.text(String(key))
      return [name, isSecretName(name) ? hiddenValue(value) : this.value(whole(name, value), above)]
    })
    const rest = given.length - MAX_MEMBERS
    return plainObject(rest > 0 ? [...plain, ['…', `${rest} more`]] : plain)
  }

  #object(value: object, above: readonly object[]): Plain {
    if (above.includes(value)) return '[circular]'
    if (above.length >= DEEPEST) return '[deeper]'
    const below = [...above, value]
    try {
      if (value instanceof Error) return this.members(errorMembers(value), below)
      if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
      if (Array.isArray(value) || value instanceof Set) return this.#list([...value], below)
      if (value instanceof Map || value instanceof Headers) return this.members([...value.entries()], below)
      const json = (value as { toJSON?: unknown }).toJSON
      return typeof json === 'function'
        ? this.value(json.call(value), below)
        : this.members(membersOf(value), below)
    } catch {
      return '[unreadable]'
    }
  }

  /** Raw headers are lists of names and values in turn: what follows a secret's name is hidden. */
  #list(values: readonly unknown[], below: readonly object[]): Plain[] {
    const plain = values.slice(0, MAX_MEMBERS).map((value, i) => {
      const before = values[i - 1]
      return typeof before === 'string' && isSecretName(before)
        ? hiddenValue(value)
        : this.value(value, below)
    })
    const rest = values.length - MAX_MEMBERS
    return rest > 0 ? [...plain, `[${rest} more]`] : plain
  }
}

/** Durations in whole milliseconds: the rest is noise. */
const whole = (name: string, value: unknown): unknown =>
  typeof value === 'number' && name.endsWith('_ms') ? Math.round(value) : value

/** Half a secret at the edge of a cut might not be recognized. */
function withoutLastWord(text: string): string {
  const start = Math.max(0, text.length - MAX_WORD)
  return text.slice(0, start + text.slice(start).search(/\S*$/))
}

/** Whether a secret is set at all may be seen. */
const hiddenValue = (value: unknown): Plain => (value === null || typeof value === 'boolean' ? value : HIDDEN)

/** A failure's code and what it keeps for the log are among its own members; its cause is told once. */
function errorMembers(error: Error): [string, unknown][] {
  const own = membersOf(error)
    .filter(([name]) => !['name', 'message', 'stack', 'cause'].includes(name))
    .map(([name, value]): [string, unknown] =>
      error instanceof Failure && name === 'details'
        ? [name, { ...error.details, cause: undefined }]
        : [name, value],
    )
  return [
    ['type', error.name],
    ['message', error.message],
    ...own,
    ['stack', error.stack],
    ['cause', error.cause],
  ]
}

/** Own members that can be read; a getter that throws hides only itself. */
const membersOf = (value: object): [string, unknown][] =>
  Object.keys(value).map((name) => {
    try {
      return [name, (value as Record<string, unknown>)[name]]
    } catch {
      return [name, '[unreadable]']
    }
  })

/** Without a prototype, so that a member named `__proto__` is a member. */
const plainObject = (members: readonly (readonly [string, Plain])[]): PlainObject => {
  const plain = Object.create(null) as PlainObject
  for (const [name, value] of members) plain[name] = value
  return plain
}

/**
 * What a secret looks like by the name it stands under; its own shape is in `kernel/text/secret-shapes.ts`. A log is read by more people than a
 * secret is meant for, so in doubt it is hidden.
 */
const HIDDEN = '[hidden]'

// Compared without case, hyphens and underscores: X-API-Key, x_api_key and xApiKey are one name.
const WHOLE_NAMES = new Set(['key', 'pass', 'pwd', 'psk', 'jwt', 'otp'])
const NAME_ENDS =
  /(?:authorization|apikey|privatekey|presharedkey|accesskey|signingkey|hmac|tokens?|cookies?|credentials?|sessionid)$/
const NAME_PARTS = /password|passwd|passphrase|secret/
// Most names hold none of these and are told from the rest by one quick test.
const TELLING_NAME = /key|pass|pwd|psk|jwt|otp|auth|hmac|token|cookie|cred|session|secret/i

/** Whether what stands under this name is hidden, however deep. */
function isSecretName(name: string): boolean {
  if (!TELLING_NAME.test(name)) return false
  const plain = name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return WHOLE_NAMES.has(plain) || NAME_ENDS.test(plain) || NAME_PARTS.test(plain)
}

/** PEM blocks, also when they are cut off before their end. */
const PEM = /-----BEGIN [A-Z0-9 ]{1,64}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,64}-----|$)/g
const hideShapes = secretHider(HIDDEN)

/** The text with everything that looks like a secret hidden. */
const hideSecrets = (text: string): string =>
  mayHoldSecret(text) ? hideShapes(text.replace(PEM, HIDDEN)) : text
