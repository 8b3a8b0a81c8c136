/** What people are shown of a trouble, and whether two such texts say the same but for figures, times and ids. Pure. */

const MAX_CHARACTERS = 400

/** Times, ids, digests, and figures that stand alone; not those that are part of a name or a path. */
const VARYING =
  /\d{4}-\d\d-\d\dT[\d:.]+Z?|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b|(?<![^\s(:])\d+(?:\.\d+)?(?=[\s),;:]|\.?$|\.\s)/g

/** So much of the end is shown of what is too long: there it says what would help. */
const END_CHARACTERS = 150
const BEGINNING_CHARACTERS = MAX_CHARACTERS - END_CHARACTERS - 1

/** In one line, and bounded: as people are shown it. What is too long is cut in its middle. */
export function shown(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  if (text.length <= MAX_CHARACTERS) return text
  return `${text.slice(0, BEGINNING_CHARACTERS)}…${text.slice(-END_CHARACTERS)}`
}

/** Times, ids and figures give way to an ellipsis. */
export const canonical = (message: string): string => message.replaceAll(VARYING, '…')

/** So much beside a cut is not compared: it may be a part of a figure. */
const BESIDE_CUT = 40

/**
 * The same words for the same situation. A message that is written down again whenever a number in it changes would write for
 * ever. What was cut is compared as far as both reach, from the beginning and from the end: a longer figure moves the cut.
 */
export function saysTheSame(a: string, b: string): boolean {
  if (![a, b].some(wasCut)) return canonical(a) === canonical(b)
  const beginsWith = (text: string) => canonical(text.slice(0, BEGINNING_CHARACTERS - BESIDE_CUT))
  // Digits at its beginning are what is left of a name or a figure.
  const endsWith = (text: string) => canonical(text.slice(BESIDE_CUT - END_CHARACTERS).replace(/^\d+/, ''))
  return (
    isSameAsFar(beginsWith(a), beginsWith(b), (text, reach) => text.slice(0, reach)) &&
    isSameAsFar(endsWith(a), endsWith(b), (text, reach) => text.slice(text.length - reach))
  )
}

const wasCut = (text: string): boolean => text.length === MAX_CHARACTERS && text[BEGINNING_CHARACTERS] === '…'

/** As far as the shorter one reaches. */
function isSameAsFar(a: string, b: string, part: (text: string, reach: number) => string): boolean {
  const reach = Math.min(a.length, b.length)
  return part(a, reach) === part(b, reach)
}
