/**
 * The part of an `authorized_keys` file that is ours: the lines between two marker lines. Everything around it is
 * somebody else's and keeps its bytes. Texts here have one character per byte (latin1).
 */
import { readStamp, stampText, type WorldStamp } from '../../../model/world-stamp.ts'

const BEGIN =
  '# plumbline:begin ssh-clients (written by Plumbline: what is edited until the end line is undone)'
const END = '# plumbline:end ssh-clients'

const BEGINS = /^# plumbline:begin ssh-clients(?: |$)/
const ENDS = /^# plumbline:end ssh-clients(?: |$)/
/** A marker that somebody has changed. Not to be taken for a plain comment: then our lines would become foreign ones. */
const LIKE_A_MARKER = /^\s*#.*plumbline:\s*(?:begin|end)/i

export type KeysText =
  | { readonly kind: 'none'; readonly before: string }
  | {
      readonly kind: 'block'
      readonly before: string
      /** From the first marker to the end of the last one's line. */
      readonly block: string
      /** What stands between the markers, without newlines. */
      readonly lines: readonly string[]
      readonly after: string
    }
  /** `fault` ends the sentence "The block …". */
  | { readonly kind: 'damaged'; readonly fault: string }

interface BlockLine {
  readonly text: string
  readonly start: number
  /** Past the newline. */
  readonly end: number
  readonly number: number
}

export function readKeysText(text: string): KeysText {
  const lines = linesOf(text)
  const begins = lines.filter((line) => BEGINS.test(line.text))
  const ends = lines.filter((line) => ENDS.test(line.text))
  const odd = lines.find(
    (line) => LIKE_A_MARKER.test(line.text) && !BEGINS.test(line.text) && !ENDS.test(line.text),
  )
  if (odd !== undefined) return damaged(`has a marker that was changed, in line ${odd.number}`)
  const [begin, second] = begins
  const [end, other] = ends
  if (begin === undefined && end === undefined) return { kind: 'none', before: text }
  if (begin === undefined) return damaged(`ends in line ${end!.number} and begins nowhere`)
  if (end === undefined) return damaged(`begins in line ${begin.number} and ends nowhere`)
  if (second !== undefined) return damaged(`begins twice, in lines ${begin.number} and ${second.number}`)
  if (other !== undefined) return damaged(`ends twice, in lines ${end.number} and ${other.number}`)
  if (end.start < begin.start)
    return damaged(`ends in line ${end.number}, before it begins in line ${begin.number}`)
  return {
    kind: 'block',
    before: text.slice(0, begin.start),
    block: text.slice(begin.start, end.end),
    lines: lines
      .filter(({ start }) => start > begin.start && start < end.start)
      .map(({ text: line }) => line),
    after: text.slice(end.end),
  }
}

const damaged = (fault: string): KeysText => ({ kind: 'damaged', fault })

/** Without a `\r` at their ends. */
function linesOf(text: string): BlockLine[] {
  const lines: BlockLine[] = []
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline + 1
    const bare = text.slice(start, newline === -1 ? end : newline)
    lines.push({ text: bare.replace(/\r$/, ''), start, end, number: lines.length + 1 })
    start = end
  }
  return lines
}

/** @param stamp how far the world is with these lines; it stands behind the first marker, and a block is the same without. */
export const blockOf = (lines: readonly string[], stamp: WorldStamp | null = null): string =>
  [stamp === null ? BEGIN : `${BEGIN} ${stampText(stamp)}`, ...lines, END, ''].join('\n')

const STAMPED = /^(# plumbline:begin ssh-clients[^\n]*?) installation=[^ \n]* change=[^ \r\n]*(?=\r?$)/m

export const withoutStamp = (block: string): string => block.replace(STAMPED, '$1')

export const stampOfBlock = (block: string): WorldStamp | null => readStamp(block.split('\n', 1)[0]!)

/** Foreign bytes stay as they are; a last foreign line without a newline gets one, or ours would be its end. */
export function withBlock(keys_text: Exclude<KeysText, { kind: 'damaged' }>, block: string): string {
  const { before } = keys_text
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return `${before}${gap}${block}${keys_text.kind === 'block' ? keys_text.after : ''}`
}

/** Lines that are not ours, with their numbers in the file. */
export function foreignLines(text: string): readonly { readonly text: string; readonly number: number }[] {
  const keys_text = readKeysText(text)
  const first = keys_text.kind === 'block' ? keys_text.before.length : Infinity
  const last = keys_text.kind === 'block' ? first + keys_text.block.length : Infinity
  return linesOf(text).filter(({ start }) => start < first || start >= last)
}
