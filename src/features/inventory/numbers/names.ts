/** Names of nodes and purposes, by the number that stands for them in a VMID. Pure. */
import { Failure, fieldError } from '../../../kernel/failure.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'

export type Names = ReadonlyMap<number, string>

/** Nodes that nobody numbered count from 1, in the order of their names, as far as the block reaches. */
export const numberedNodes = (names: readonly string[], largest: number): Names =>
  new Map(
    [...new Set(names)]
      .toSorted()
      .slice(0, largest)
      .map((name, at) => [at + 1, name]),
  )

interface NameQuery {
  /** The query parameter: `node`. */
  readonly field: string
  /** A name, or the number itself. */
  readonly text: string
  /** The setting that names them. */
  readonly setting: string
}

/** Throws `validation_failed` with the nearest names. */
export function numberOf(names: Names, { field, text, setting }: NameQuery): number {
  for (const [number, name] of names) if (name.toLowerCase() === text.toLowerCase()) return number
  if (/^\d{1,9}$/.test(text) && names.has(Number(text))) return Number(text)
  const known = [...names].map(([number, name]) => `${name} (${number})`).join(', ')
  const near = didYouMean(text, names.values())
  const msg = `"${text.slice(0, 80)}" is no ${field}.${near} ${setting} names them: ${known === '' ? 'none' : known}`
  throw new Failure('validation_failed', `query.${field}: ${msg}`, {
    errors: [fieldError(['query', field], msg, 'unknown_name')],
  })
}
