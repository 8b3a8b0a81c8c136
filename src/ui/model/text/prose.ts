/** A sentence of the API that names a moment: the moment apart from the words, so that it can be read in the time of whoever looks. */

export type ProsePart = string | { readonly at: number }

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

export function proseParts(text: string): readonly ProsePart[] {
  const parts: ProsePart[] = []
  let begin = 0
  for (const { 0: found, index } of text.matchAll(INSTANT)) {
    const at = Date.parse(found)
    if (Number.isNaN(at)) continue
    parts.push(text.slice(begin, index), { at })
    begin = index + found.length
  }
  return [...parts, text.slice(begin)].filter((part) => part !== '')
}

const DAY_MS = 86_400_000
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY_AND_CLOCK = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** Fits behind "at", "until" and "since": `14:05` within half a day, `27 Nov, 20:10` within the week, else `1 Dec 2026`. */
export const momentText = (at: number, now: number): string =>
  (distance(at, now) < 0.5 ? CLOCK : distance(at, now) < 7 ? DAY_AND_CLOCK : DATE).format(at)

/** In days, before or after. */
const distance = (at: number, now: number): number => Math.abs(at - now) / DAY_MS

/** For where no element can stand. */
export const proseText = (text: string, now: number): string =>
  proseParts(text)
    .map((part) => (typeof part === 'string' ? part : momentText(part.at, now)))
    .join('')
