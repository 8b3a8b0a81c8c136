/** What the lists of what is kept true are ordered and filtered by. */

export const NAMES = new Intl.Collator('en', { numeric: true })

/** What a plain word of the filter is looked for in. */
export const hayOf = (...texts: readonly (string | null | undefined)[]): string =>
  texts.filter(Boolean).join('\n').toLowerCase()
