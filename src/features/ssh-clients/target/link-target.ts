/**
 * Where a link stands in the place of `authorized_keys`, sshd reads what the link leads to. What was last seen is put back only
 * where no key of somebody else's logs in by that which does not log in now. Pure.
 *
 *   behind the link                                          then
 *   a key more, or one with fewer or other options           put back: the link lets it in
 *   else a key less that is not ours, or one that has got    left, and told with the keys
 *     options
 *   the same keys; nothing that can be read                  put back
 */
import { foreignLines } from '../model/block.ts'
import { type KeyLine, readLine } from '../model/line.ts'

/** Fingerprints of keys that putting back would let in again. Texts have one character per byte. */
export function lackedBehind(behind: string, before: string): readonly string[] {
  const now = keysIn(behind.split('\n'))
  const then = keysIn(before.split('\n'))
  if ([...now.values()].some((line) => isMore(line, then.get(line.fingerprint)))) return []
  const foreign = keysIn(foreignLines(before).map(({ text }) => text))
  return [...foreign.values()]
    .filter((line) => isLess(now.get(line.fingerprint), line))
    .map(({ fingerprint }) => fingerprint)
}

/** To sshd the first line of a key that fits decides. */
function keysIn(lines: readonly string[]): ReadonlyMap<string, KeyLine> {
  const keys = new Map<string, KeyLine>()
  for (const text of lines) {
    const line = readLine(text.replace(/\r$/, ''))
    if (line !== null && !keys.has(line.fingerprint)) keys.set(line.fingerprint, line)
  }
  return keys
}

const isMore = (now: KeyLine, before: KeyLine | undefined): boolean =>
  before === undefined || (now.options !== before.options && before.options !== '')

const isLess = (now: KeyLine | undefined, before: KeyLine): boolean =>
  now === undefined || now.options !== before.options
