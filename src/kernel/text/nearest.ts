/** "Did you mean …": the known words closest to an unknown one, for every error that names a wrong name. */

/** Edit distance (Levenshtein), one row of memory. */
function distance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.length]!
}

/** Up to `most` known words within a third of the word's length, nearest first. Words over 80 characters have none. */
function nearest(word: string, known: Iterable<string>, most = 3): string[] {
  if (word.length > 80) return []
  const reach = Math.max(2, Math.floor(word.length / 3))
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
