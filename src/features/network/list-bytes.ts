/** The JSON of a long list, made in pieces, once for all who ask for the same one. */
import { othersTurn } from '../../kernel/async/others-turn.ts'
import type { ListAnswer } from './lists.ts'

/** A shorter one is written at once by whoever answers. */
const LONG = 1000
const PIECE = 500

const kept = new WeakMap<readonly object[], Promise<string>>()

/** Null for a list that is short. */
export async function listBytes({ data, ...rest }: ListAnswer): Promise<Uint8Array | null> {
  if (data.length < LONG) return null
  const rows = kept.get(data) ?? written(data)
  kept.set(data, rows)
  return Buffer.from(`{"data":[${await rows}],${JSON.stringify(rest).slice(1)}`)
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
