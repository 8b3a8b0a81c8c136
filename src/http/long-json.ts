/** The JSON of an answer with long lists, made in pieces, and once for all who ask for the same lists. */
import { othersTurn } from '../kernel/async/others-turn.ts'
import type { Answer } from './contract.ts'

/** A shorter one is written at once by whoever answers. */
const LONG = 1000
const PIECE = 500

interface Written {
  readonly lists: readonly unknown[]
  /** What stands beside the lists. */
  readonly rest: string
  readonly bytes: Promise<Uint8Array>
}

const kept = new WeakMap<object, Written>()

/** The answer with its JSON, where a member of its body is long. The lists must not change any more. */
export async function withLongJson<Given extends Answer<number, object>>(
  answer: Given,
): Promise<Given & Pick<Answer, 'json'>> {
  const { body } = answer
  const lists = (Array.isArray(body) ? [body] : Object.values(body)).filter(isLong)
  const [first] = lists
  if (first === undefined) return answer
  const rest = Array.isArray(body) ? '' : JSON.stringify(Object.entries(body).map(shortOnly))
  const before = kept.get(first)
  const is_same = before?.rest === rest && before.lists.every((list, at) => list === lists[at])
  const bytes = is_same ? before.bytes : written(body)
  if (!is_same) kept.set(first, { lists, rest, bytes })
  return { ...answer, json: await bytes }
}

const shortOnly = ([name, value]: [string, unknown]) => [name, isLong(value) ? null : value]

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length >= LONG

async function written(body: object): Promise<Uint8Array> {
  if (isLong(body)) return Buffer.from(await listText(body))
  const members: string[] = []
  for (const [name, value] of Object.entries(body)) {
    const text = isLong(value) ? await listText(value) : JSON.stringify(value)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return Buffer.from(`{${members.join(',')}}`)
}

async function listText(list: readonly unknown[]): Promise<string> {
  const pieces: string[] = []
  for (let at = 0; at < list.length; at += PIECE) {
    await othersTurn()
    // In a list there is nothing that has no text.
    pieces.push(JSON.stringify(list.slice(at, at + PIECE)).slice(1, -1))
  }
  return `[${pieces.join(',')}]`
}
