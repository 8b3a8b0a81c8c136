/** The JSON of a long list, made in pieces, once for all who ask for the same one. */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { ListAnswer } from './lists.ts'

/** A shorter one is written at once by whoever answers. */
const LONG = 1000
const PIECE = 500

interface Written {
  /** What stands beside the list. */
  readonly rest: string
  readonly bytes: Promise<Uint8Array>
}

const kept = new WeakMap<readonly object[], Written>()

/** Null for a list that is short. */
export async function listBytes({ data, ...beside }: ListAnswer): Promise<Uint8Array | null> {
  if (data.length < LONG) return null
  const rest = JSON.stringify(beside).slice(1)
  const before = kept.get(data)
  if (before?.rest === rest) return before.bytes
  const bytes = written(data).then((rows) => Buffer.from(`{"data":[${rows}],${rest}`))
  kept.set(data, { rest, bytes })
  return bytes
}

async function written(data: readonly object[]): Promise<string> {
  const pieces: string[] = []
  for (let at = 0; at < data.length; at += PIECE) {
    await othersTurn()
    pieces.push(
      data
        .slice(at, at + PIECE)
        .map((row) => JSON.stringify(row))
        .join(','),
    )
  }
  return pieces.join(',')
}
