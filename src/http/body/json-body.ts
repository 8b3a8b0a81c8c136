/**
 * Strict JSON (RFC 8259) from bytes: UTF-8 without byte-order mark, nested at most 32 deep, no `__proto__` key.
 *
 * Depth is counted before parsing, since a deep document parses and then overflows whoever walks it. A `__proto__` key
 * parses into an own property that `Object.assign` turns into a prototype.
 */
import { Failure, fieldError } from '../../kernel/failure.ts'
import { duplicateKeys, endOfString, PIECE_CHARACTERS } from '../socket/duplicate-keys.ts'

export const DEEPEST_BODY = 32

export interface JsonBody {
  readonly value: unknown
  /** Whether a text of it may hold half a surrogate pair: in UTF-8 only an escape can say one. */
  readonly escaped: boolean
  /** Where a key stands twice in one object; the value has the last of them. */
  readonly duplicates: Awaited<ReturnType<typeof duplicateKeys>>
}

/** What one object and one list of a body may hold at most. */
export interface MemberLimits {
  readonly keys: number
  readonly entries: number
}

/**
 * Throws `malformed_json`, and `too_large` beyond `most`. Messages hold positions, never content: bodies carry secrets.
 * @param othersTurn between two pieces of the work
 */
export async function parseJson(
  bytes: Uint8Array,
  most: MemberLimits | null = null,
  othersTurn: () => Promise<void> = nobodyWaits,
): Promise<JsonBody> {
  const text = decode(bytes)
  if ((await depthOf(text, { most, othersTurn })) > DEEPEST_BODY)
    throw malformed(`The body is nested more than ${DEEPEST_BODY} levels deep.`)
  await othersTurn()
  const value = parse(text)
  await othersTurn()
  if (text.includes('_') || text.includes('\\')) refuseProto(value)
  await othersTurn()
  return { value, escaped: text.includes('\\u'), duplicates: await duplicateKeys(text, othersTurn) }
}

const nobodyWaits = async (): Promise<void> => undefined

const malformed = (message: string): Failure =>
  new Failure('malformed_json', message, { errors: [fieldError(['body'], message, 'json_invalid')] })

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    throw malformed(
      position === undefined
        ? 'The body is not JSON.'
        : `The body is not JSON from character ${position} on.`,
    )
  }
}

/**
 * How deep brackets nest outside strings, with members counted on the way: half a million keys take seconds to parse, to
 * compare and to find fault with. Broken JSON may give any number; the parser refuses it afterwards.
 */
async function depthOf(
  text: string,
  { most, othersTurn }: { readonly most: MemberLimits | null; readonly othersTurn: () => Promise<void> },
): Promise<number> {
  const counts: { readonly is_list: boolean; commas: number }[] = []
  let deepest = 0
  let piece_end = PIECE_CHARACTERS
  for (let at = 0; at < text.length; at++) {
    if (at >= piece_end) {
      await othersTurn()
      piece_end = at + PIECE_CHARACTERS
    }
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '{' || char === '[') {
      counts.push({ is_list: char === '[', commas: 0 })
      if (counts.length > deepest) deepest = counts.length
      if (deepest > DEEPEST_BODY) return deepest
    } else if (char === '}' || char === ']') counts.pop()
    else if (char === ',') {
      const inner = counts.at(-1)
      if (inner !== undefined && most !== null) refuseMany(inner.is_list, ++inner.commas + 1, most)
    }
  }
  return deepest
}

function refuseMany(is_list: boolean, members: number, { keys, entries }: MemberLimits): void {
  if (members <= (is_list ? entries : keys)) return
  throw is_list
    ? new Failure('too_large', `A list of the body has more than ${entries} entries.`, {
        facts: { limit_entries: entries },
      })
    : new Failure('too_large', `An object of the body has more than ${keys} keys.`, {
        facts: { limit_keys: keys },
      })
}

function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw malformed('The body holds the key "__proto__".')
  for (const member of Object.values(value)) refuseProto(member)
}
