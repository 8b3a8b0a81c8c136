/**
 * The same words for the same situation. A message that is written down again whenever a number in it changes would
 * write for ever, so what differs from try to try gives way to an ellipsis. The full words stand in the log and in `explain`.
 */

const MOST_CHARACTERS = 400

/** Times, ids, digests, and figures that stand alone; not those that are part of a name or a path. */
const VARYING =
  /\d{4}-\d\d-\d\dT[\d:.]+Z?|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b|(?<![^\s(:])\d+(?:\.\d+)?(?=[\s),;:]|\.?$|\.\s)/g

export function canonical(message: string): string {
  const text = message.replaceAll(VARYING, '…').replaceAll(/\s+/g, ' ').trim()
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`
}
