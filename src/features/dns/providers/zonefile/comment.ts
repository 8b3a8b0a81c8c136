/** The comment of a set, as it can stand behind a semicolon: one line, bounded. */

/** In characters, as the port's `comment_most`. */
export const MAX_COMMENT = 200
const FIRST_CHARACTERS = new RegExp(`^.{0,${MAX_COMMENT}}`, 'su')

/**
 * What a reader finds again: no control characters (a line feed would end the comment and begin a record), no blanks at
 * its ends, at most 200 characters; null when nothing is left.
 */
export function commentText(comment: string): string | null {
  const line = comment.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
  const short = FIRST_CHARACTERS.exec(line.trim())![0].trim()
  return short === '' ? null : short
}
