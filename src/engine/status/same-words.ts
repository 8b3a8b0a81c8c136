/** What people are shown of a trouble, and whether two such texts say the same but for figures, times and ids. Pure. */

const MAX_CHARACTERS = 400

/** Times, ids, digests, and figures that stand alone; not those that are part of a name or a path. */
const VARYING =
  /\d{4}-\d\d-\d\dT[\d:.]+Z?|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b|(?<![^\s(:])\d+(?:\.\d+)?(?=[\s),;:]|\.?$|\.\s)/g

/** In one line, and bounded: as people are shown it. */
export function shown(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`
}

/** Times, ids and figures give way to an ellipsis. */
export const canonical = (message: string): string => message.replaceAll(VARYING, '…')

/** Of what was cut, so much of the end is not compared: it may be a part of a figure. */
const CUT_END = 40

/**
 * The same words for the same situation. A message that is written down again whenever a number in it changes would write for
 * ever. What was cut is compared as far as both reach: a longer figure moves the end.
 */
export function saysTheSame(a: string, b: string): boolean {
  const was_cut = [a, b].some((text) => text.length === MAX_CHARACTERS && text.endsWith('…'))
  if (!was_cut) return canonical(a) === canonical(b)
  const [one, other] = [a, b].map((text) => canonical(text.slice(0, MAX_CHARACTERS - CUT_END))) as [
    string,
    string,
  ]
  const reach = Math.min(one.length, other.length)
  return one.slice(0, reach) === other.slice(0, reach)
}
