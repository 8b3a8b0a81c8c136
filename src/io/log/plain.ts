/**
 * Facts as plain, bounded, harmless data: whatever is handed to the log can be written, cannot stall it, and shows no
 * secret. Nothing in here throws: a log line must not be the reason that work fails.
 */
import { Failure } from '../../kernel/failure.ts'
import { HIDDEN, hideSecrets, isSecretName } from './hide.ts'

const DEEPEST = 8
const MOST_MEMBERS = 100
/** For one line: how many values it may hold, and how many characters of text. */
const MOST_VALUES = 1000
const MOST_TEXT = 64 * 1024
const LONGEST_TEXT = 8192
const LONGEST_WORD = 512

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
  #values_left = MOST_VALUES
  #text_left = MOST_TEXT

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
    const most = Math.max(0, Math.min(LONGEST_TEXT, this.#text_left))
    this.#text_left -= Math.min(text.length, most)
    if (text.length <= most) return hideSecrets(text)
    const kept = withoutLastWord(text.slice(0, most))
    return `${hideSecrets(kept)}… (${text.length - kept.length} more characters)`
  }

  members(members: readonly (readonly [unknown, unknown])[], above: readonly object[]): PlainObject {
    const given = members.filter(([, value]) => value !== undefined)
    const plain = given.slice(0, MOST_MEMBERS).map(([key, value]): [string, Plain] => {
      const name = this.text(String(key))
      return [name, isSecretName(name) ? hiddenValue(value) : this.value(whole(name, value), above)]
    })
    const rest = given.length - MOST_MEMBERS
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
    const plain = values.slice(0, MOST_MEMBERS).map((value, i) => {
      const before = values[i - 1]
      return typeof before === 'string' && isSecretName(before)
        ? hiddenValue(value)
        : this.value(value, below)
    })
    const rest = values.length - MOST_MEMBERS
    return rest > 0 ? [...plain, `[${rest} more]`] : plain
  }
}

/** Durations in whole milliseconds: the rest is noise. */
const whole = (name: string, value: unknown): unknown =>
  typeof value === 'number' && name.endsWith('_ms') ? Math.round(value) : value

/** Half a secret at the edge of a cut might not be recognized. */
function withoutLastWord(text: string): string {
  const start = Math.max(0, text.length - LONGEST_WORD)
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
