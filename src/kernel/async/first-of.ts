/** Of a list for people, the first few and how many more there are: nobody reads five thousand lines that say the same. */

const MAX_SHOWN = 20

/** @param where the whole list can be seen, as the end of a sentence */
export function firstOf(lines: readonly string[], where: string | null = null): readonly string[] {
  const more = lines.length - MAX_SHOWN
  if (more <= 0) return lines
  return [
    ...lines.slice(0, MAX_SHOWN),
    where === null ? `And ${more} more.` : `And ${more} more: all of them are in ${where}.`,
  ]
}
