/** Lines of long texts: their numbers, and those that two texts share at either end. Whole lines, so no character is ever cut. */

/** The number of the line that holds an offset, from 1. Nothing is counted before the first question. */
export function lineCounter(text: string): (offset: number) => number {
  /** Offsets of the line feeds up to `counted`. */
  const feeds: number[] = []
  let counted = 0
  return (offset) => {
    while (counted <= offset) {
      const feed = text.indexOf('\n', counted)
      if (feed === -1) counted = Infinity
      else {
        feeds.push(feed)
        counted = feed + 1
      }
    }
    return feedsBefore(feeds, offset) + 1
  }
}

/** How many of the ascending numbers are smaller than `offset`. */
function feedsBefore(feeds: readonly number[], offset: number): number {
  let low = 0
  let high = feeds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (feeds[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Length of the whole lines that both texts begin with, less the last `context` of them. */
export function commonPrefix(a: string, b: string, context: number): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  for (let step = STEP; step >= 1; step = step >> 1)
    while (same + step <= most && a.startsWith(b.slice(same, same + step), same)) same += step
  return stepBack(a, same, context)
}

/** Length of the whole lines that both texts end with after `start`, less the first `context` of them. */
export function commonSuffix(
  a: string,
  b: string,
  { start, context }: { readonly start: number; readonly context: number },
): number {
  const most = Math.min(a.length, b.length) - start
  let same = 0
  for (let step = STEP; step >= 1; step = step >> 1)
    while (same + step <= most && isSameTail(a, b, { same, step })) same += step
  return a.length - stepAhead(a, a.length - same, context + 1)
}

/** Comparing many characters at a time is what the engine does fast. */
const STEP = 1 << 16

const isSameTail = (a: string, b: string, { same, step }: { same: number; step: number }): boolean =>
  a.startsWith(b.slice(b.length - same - step, b.length - same), a.length - same - step)

/** The start of the line that holds `offset`, less `lines` lines before it. */
function stepBack(text: string, offset: number, lines: number): number {
  let at = lineStart(text, offset)
  for (let i = 0; i < lines && at > 0; i++) at = lineStart(text, at - 1)
  return at
}

const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1

/** The end of `lines` lines from `offset` on. */
function stepAhead(text: string, offset: number, lines: number): number {
  let at = offset
  for (let i = 0; i < lines && at < text.length; i++) {
    const feed = text.indexOf('\n', at)
    at = feed === -1 ? text.length : feed + 1
  }
  return at
}
