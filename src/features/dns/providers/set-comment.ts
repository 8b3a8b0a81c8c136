/**
 * The one comment of a set whose records have several. Marks of more than one installation are all shown, each on a line
 * of its own: were only the first one told, whose the set is would depend on the order of its records.
 */
const MARK = /^plumbline:\d+:\S*/

export function commentOf(comments: readonly (string | null | undefined)[]): string | null {
  const said = comments.filter((comment): comment is string => typeof comment === 'string' && comment !== '')
  const marks = new Map(
    said.flatMap((comment) => {
      const mark = MARK.exec(comment)?.[0]
      return mark === undefined ? [] : [[mark, comment] as const]
    }),
  )
  return marks.size > 1 ? [...marks.values()].join('\n') : (said[0] ?? null)
}

/** One line of what the provider's `comment_most` leaves room for, cut between characters, never inside one. */
export const fittedComment = (comment: string | null, comment_most: number | null): string =>
  Array.from((comment ?? '').replaceAll(/[\r\n]+/g, ' '))
    .slice(0, comment_most ?? 0)
    .join('')
    .trim()
