/** The columns of the table: what is shown unless one says otherwise, and what can be shown besides. The address has them. */

export const COLUMNS = [
  ['target', 'Target'],
  ['kind', 'Kind'],
  ['lamps', 'Lamps'],
  ['access', 'Who gets in'],
  ['tags', 'Tags'],
  ['env', 'Environment'],
  ['ttl', 'TTL'],
  ['address', 'Address'],
  ['note', 'Note'],
  ['cert', 'Certificate'],
  ['saved', 'Saved'],
] as const

export type Column = (typeof COLUMNS)[number][0]

const USUAL: readonly Column[] = ['target', 'kind', 'lamps', 'access', 'tags', 'saved']

/** `target,lamps,cert`, in the order of the table; the usual ones where none is named. */
export function parseColumns(text: string | null): readonly Column[] {
  const named = new Set((text ?? '').split(','))
  const known = COLUMNS.map(([column]) => column).filter((column) => named.has(column))
  return known.length === 0 ? USUAL : known
}

/** Null where it is the usual ones: the address stays short. */
export function columnsText(columns: readonly Column[]): string | null {
  const text = COLUMNS.map(([column]) => column)
    .filter((column) => columns.includes(column))
    .join(',')
  return text === '' || text === USUAL.join(',') ? null : text
}
