/**
 * Whether a text is what a pattern with `*` (any characters, or none) and `?` (one character) says. No regular expression:
 * with many stars those try every way to share the text out, which takes longer than anybody lives. This takes at most
 * as many steps as the two lengths multiplied.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0
  let in_text = 0
  /** Behind the last star, and where the text went on that it left over; only that star ever takes more. */
  let star: { readonly behind: number; from: number } | null = null
  while (in_text < text.length) {
    if (pattern[at] === '*') star = { behind: ++at, from: in_text }
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[in_text])) {
      at++
      in_text++
    } else if (star !== null) {
      at = star.behind
      in_text = ++star.from
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
