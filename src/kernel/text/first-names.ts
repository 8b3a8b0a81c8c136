/** Names for a sentence: the first few of them, and how many more there are. Pure. */
export function firstNames(names: readonly string[], at_most: number): string {
  const shown = names.slice(0, at_most).join(', ')
  return names.length > at_most ? `${shown} and ${names.length - at_most} more` : shown
}
