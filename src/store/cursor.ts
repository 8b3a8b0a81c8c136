/** Where a page of domain records ended, as text that a caller hands back. */
import { Failure, fieldError, invalid } from '../kernel/failure.ts'
import type { DomainSort } from '../model/domain/record.ts'

export interface Cursor {
  readonly sort: DomainSort
  /** The last record's value in the sorted column. */
  readonly value: string | number
  readonly id: number
}

const LONGEST = 1024

export const encodeCursor = ({ sort, value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

/** Throws `validation_failed` for a text that `encodeCursor` did not make, or made for another sort. */
export function decodeCursor(text: string, sort: DomainSort): Cursor {
  const parts = partsOf(text)
  if (!isCursorOf(sort, parts)) throw refused()
  const cursor = { sort, value: parts[1], id: parts[2] }
  if (encodeCursor(cursor) !== text) throw refused()
  return cursor
}

function partsOf(text: string): unknown {
  if (text.length > LONGEST) throw refused()
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw refused()
  }
}

function isCursorOf(sort: DomainSort, parts: unknown): parts is [DomainSort, string | number, number] {
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== sort || !Number.isSafeInteger(parts[2]))
    return false
  return isOfNumbers(sort) ? Number.isSafeInteger(parts[1]) : typeof parts[1] === 'string'
}

const isOfNumbers = (sort: DomainSort): boolean => /(?:id|_at)$/.test(sort)

const refused = (): Failure =>
  invalid([
    fieldError(['query', 'cursor'], 'must be the cursor of a previous page with the same sort', 'cursor'),
  ])
