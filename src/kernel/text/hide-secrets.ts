/**
 * Text of strangers without what opens something: values under names that speak of secrets, hashes, credentials in addresses and
 * headers, private keys. By lines and without parsing, so it hides too much rather than too little. Line by line it keeps its length.
 */
import { mayHoldSecret, secretHider } from './secret-shapes.ts'

const HIDDEN = '(hidden)'

/** What it looks for is bounded: the lines are anybody's. */
const SPEAKS =
  /^(\s*(?:- +)*["']?(?!plumbline-)[\w.-]{0,256}(?:pass(?:word|wd|phrase|(?!hostheader))|secret|token|authori[sz]ation|cookie|credential|api[_-]?key|private[_-]?key|users)[\w.-]{0,256}["']?\s*[:=])(.*)$/i
const hideShapes = secretHider(HIDDEN)
const KEY_BEGINS = /-----BEGIN [A-Z ]*PRIVATE KEY-----/
const KEY_ENDS = /-----END [A-Z ]*PRIVATE KEY-----/

export function hideSecrets(text: string): string {
  let in_key = false
  /** What is indented deeper belongs to a name that speaks of secrets; -1: nothing does. */
  let deeper_than = -1
  const lines = text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length
    const is_below =
      deeper_than >= 0 && (line.trim() === '' || indent > deeper_than || isItem(line, indent, deeper_than))
    if (!is_below) deeper_than = -1
    if (in_key || KEY_BEGINS.test(line)) {
      in_key = !KEY_ENDS.test(line)
      return `${' '.repeat(indent)}${HIDDEN}`
    }
    if (is_below) return line.trim() === '' ? line : `${' '.repeat(indent)}${HIDDEN}`
    const [, name, value = ''] = SPEAKS.exec(line) ?? []
    if (name === undefined) return mayHoldSecret(line) ? hideShapes(line) : line
    deeper_than = indent
    return value.trim() === '' ? line : `${name} ${HIDDEN}`
  })
  return lines.join('\n')
}

/** Items of a list may stand as far out as the name that they belong to. */
const isItem = (line: string, indent: number, deeper_than: number): boolean =>
  indent === deeper_than && line.trimStart().startsWith('- ')

/** The same for a unified diff, whose lines begin with a sign; heads of files and hunks stay as they are. */
export function hideInDiff(diff: string): string {
  const lines = diff.split('\n')
  const hidden = hideSecrets(lines.map((line) => (isHead(line) ? '' : line.slice(1))).join('\n')).split('\n')
  return lines.map((line, at) => (isHead(line) ? line : line.slice(0, 1) + hidden[at]!)).join('\n')
}

const isHead = (line: string): boolean => /^(?:--- |\+\+\+ |@@ |\\)/.test(line)
