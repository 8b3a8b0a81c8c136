/**
 * Allow-lists: of an entry that a controller sends, the fields that are named come out, each as the type that it is known to
 * have, and nothing else. Controllers put secrets beside them under names that change with their firmware.
 */
import { z } from 'zod'
import { asFlag, asNumber, asRecords, asText, isRecord, type Json } from '../../kernel/text/lenient.ts'

type Field =
  | 'text'
  | 'number'
  | 'flag'
  | 'texts'
  | { readonly one: Fields }
  /** A list of objects. */
  | { readonly many: Fields }

export type Fields = Readonly<Record<string, Field>>

/** What came out of an entry. */
export type Picked = Readonly<Record<string, unknown>>

/** A field that was not sent is left out; one that cannot be read is null. */
export function picker(fields: Fields): (row: Json) => Picked {
  const readers = Object.entries(fields).map(([name, field]) => ({ name, read: readerOf(field) }))
  return (row) => {
    const picked: Record<string, unknown> = {}
    for (const { name, read } of readers)
      if (Object.hasOwn(row, name) && row[name] !== undefined) picked[name] = read(row[name])
    return picked
  }
}

function readerOf(field: Field): (value: unknown) => unknown {
  if (field === 'text') return asText
  if (field === 'number') return asNumber
  if (field === 'flag') return asFlag
  if (field === 'texts') return textsOf
  const pick = picker('one' in field ? field.one : field.many)
  if ('one' in field) return (value) => (isRecord(value) ? pick(value) : null)
  return (value) => asRecords(value)?.map(pick) ?? null
}

const textsOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.flatMap((one) => asText(one) ?? []) : null

/** How what comes out is described. */
export function shapeOf(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field).nullish()]))
}

function schemaOf(field: Field): z.ZodType {
  if (field === 'text') return z.string()
  if (field === 'number') return z.number()
  if (field === 'flag') return z.boolean()
  if (field === 'texts') return z.array(z.string())
  return 'one' in field ? z.object(shapeOf(field.one)) : z.array(z.object(shapeOf(field.many)))
}
