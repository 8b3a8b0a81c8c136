/**
 * The value of a large JSON text, read in pieces so that nobody is held up by it: its one long list, at the top or a member
 * of the object at the top, is cut between entries. The value is that of `JSON.parse`, and so is what is no JSON.
 */
import { othersTurn } from '../async/others-turn.ts'
import { isRecord, parsedJson } from './lenient.ts'

/** Characters. A shorter text is read at once. */
const LARGE = 256 * 1024
const PIECE = 64 * 1024

/** Undefined for what is no JSON. */
export async function parsedLargeJson(text: string): Promise<unknown> {
  if (text.length < LARGE) return parsedJson(text)
  const list = await longListIn(text)
  if (list === null) return parsedJson(text)
  const { start, end, cuts } = list
  const entries: unknown[] = []
  for (const [at, from] of [start, ...cuts].entries()) {
    await othersTurn()
    const piece = text.slice(from + 1, cuts[at] ?? end)
    const some = piece.trim() === '' ? undefined : parsedJson(`[${piece}]`)
    if (!Array.isArray(some)) return undefined
    for (const entry of some as readonly unknown[]) entries.push(entry)
  }
  return within(text, list, entries)
}

interface LongList {
  /** Of its brackets. */
  readonly start: number
  readonly end: number
  /** Commas between entries of it, some way apart. */
  readonly cuts: readonly number[]
}

/** It stands for the list while the rest is read. */
const MARK = '\u0000the long list'

/** The whole value, with the entries in the place of the list. */
function within(text: string, { start, end }: LongList, entries: readonly unknown[]): unknown {
  const rest = parsedJson(`${text.slice(0, start)}${JSON.stringify(MARK)}${text.slice(end + 1)}`)
  if (rest === MARK) return entries
  if (!isRecord(rest)) return undefined
  const places = Object.entries(rest).filter(([, value]) => value === MARK)
  // One that another member of the same name has taken the place of.
  if (places.length !== 1) return parsedJson(text)
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, value === MARK ? entries : value]),
  )
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPENS, CLOSES] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])]
const LIST_OPENS = 0x5b

/** Null where no list at the top is long enough to be worth it. Knows brackets and strings, and no more of JSON. */
async function longListIn(text: string): Promise<LongList | null> {
  let depth = 0
  let list: { readonly start: number; readonly depth: number; readonly cuts: number[]; last: number } | null =
    null
  let turn = PIECE
  for (let at = 0; at < text.length; at++) {
    if (at >= turn) {
      await othersTurn()
      turn = at + PIECE
    }
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      continue
    }
    if (OPENS.has(code)) {
      depth++
      if (list === null && code === LIST_OPENS && depth <= 2) list = { start: at, depth, cuts: [], last: at }
    } else if (CLOSES.has(code)) {
      if (list?.depth === depth) {
        if (at - list.start >= LARGE / 2) return { start: list.start, end: at, cuts: list.cuts }
        list = null
      }
      depth--
    } else if (code === COMMA && list?.depth === depth && at - list.last >= PIECE) {
      list.cuts.push(at)
      list.last = at
    }
  }
  return null
}

/** Of its closing quote; the end of the text where it has none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
