/** "Did you mean …": the known words closest to an unknown one, for every error that names a wrong name. */

/** Edit distance in which two letters that changed places are one edit (optimal string alignment), three rows of memory. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? before[j - 2]! + 1 : Infinity,
      )
    }
    ;[before, last] = [last, row]
  }
  return last[b.length]!
}

/** Up to `most` known words within a third of the word's length (at least two edits, one of a word of up to four letters), nearest first. Words over 80 characters have none. */
function nearest(word: string, known: Iterable<string>, most = 3): string[] {
  if (word.length > 80) return []
  // Of a short word two edits leave nothing.
  const reach = word.length <= 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  return [...known]
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter((candidate) => candidate.far <= reach)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map((candidate) => candidate.name)
}

/** `' Did you mean "x" or "y"?'`, or an empty text when nothing is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const names = nearest(word, known).map((name) => `"${name}"`)
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`
}

/** The first name that `didYouMean` put at the end of a sentence, for whoever fills it in; null where there is none. */
export const nameMeant = (sentence: string): string | null =>
  / Did you mean "([^"]+)"(?: or "[^"]+")*\?$/.exec(sentence)?.[1] ?? null
