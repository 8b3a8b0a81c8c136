/**
 * A body with long lists is checked entry by entry, so that others have their turn. What is right comes out as the schema alone
 * would give it; what is not is left to the schema, which finds all faults and words them.
 */
import { z } from 'zod'
import type { Checked } from './zod-errors.ts'

/** Entries that are checked between two turns of others. */
const PIECE = 250

/** Null where there is no long list, or a fault. */
export async function checkInPieces(
  schema: z.ZodType,
  value: unknown,
  othersTurn: () => Promise<void>,
): Promise<Extract<Checked<unknown>, { ok: true }> | null> {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return null
  const body: Record<string, unknown> = { ...value }
  const shape: Record<string, z.core.$ZodType> = { ...schema.def.shape }
  const lists = longLists(shape, body)
  if (lists.length === 0) return null
  for (const { name, list, entries } of lists) {
    const checked = await checkedEntries(list, entries, othersTurn)
    if (checked === null) return null
    body[name] = checked
    shape[name] = z.core.clone(list, { ...list.def, element: z.unknown() })
  }
  const rest = z.core.clone(schema, { ...schema.def, shape }).safeParse(body)
  return rest.success ? { ok: true, value: rest.data } : null
}

interface LongList {
  readonly name: string
  readonly list: z.ZodArray
  readonly entries: readonly unknown[]
}

const longLists = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  body: Readonly<Record<string, unknown>>,
): readonly LongList[] =>
  Object.entries(shape).flatMap(([name, list]) => {
    const entries = body[name]
    return list instanceof z.ZodArray && Array.isArray(entries) && entries.length > PIECE
      ? [{ name, list, entries }]
      : []
  })

/** As the schema of an entry gives each; null where one is wrong. */
async function checkedEntries(
  list: z.ZodArray,
  entries: readonly unknown[],
  othersTurn: () => Promise<void>,
): Promise<readonly unknown[] | null> {
  const checked: unknown[] = []
  for (const entry of entries) {
    if (checked.length % PIECE === 0) await othersTurn()
    const result = z.safeParse(list.element, entry)
    if (!result.success) return null
    checked.push(result.data)
  }
  return checked
}
