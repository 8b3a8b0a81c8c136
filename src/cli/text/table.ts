/**
 * Rows in columns where they fit. On a terminal that is narrower the last column is wrapped, and where that leaves too little
 * each row becomes a block of lines; in a pipe nothing is ever wrapped.
 */
import { stripVTControlCharacters } from 'node:util'
import { type Style, styled, type Terminal } from './terminal.ts'

export interface TableForm {
  /** Names of the columns; shown above them, and before each value of a block. */
  readonly head?: readonly string[]
  readonly indent?: string
  /** The first cells are signs, such as `ok` and `drift`: in a block each stands before the second. */
  readonly signs?: boolean
}

export interface Row {
  readonly cells: readonly string[]
  /** Of the whole row. */
  readonly style?: Style
  /** Lines that belong to it. */
  readonly below?: readonly string[]
}

type Cells = readonly string[]

const GAP = '  '
/** Such as `+` or `123`; not `dns`, which is a name. */
const isSign = (cell: string | undefined): boolean => lengthOf(cell) <= 3 && !/\p{L}/u.test(cell ?? '')

/** What a wrapped last column has at least, else rows become blocks; on a narrow terminal half of it. */
const minLast = (width: number): number => Math.min(24, Math.floor(width / 2))

export function tellTable(
  terminal: Pick<Terminal, 'out' | 'width'>,
  rows: readonly (Row | Cells)[],
  { head, indent = '', signs = false }: TableForm = {},
): void {
  if (rows.length === 0) return
  const width = (terminal.width ?? Infinity) - indent.length
  for (const line of fitted(rows, head ?? null, width, signs)) terminal.out(`${indent}${line}`.trimEnd())
}

export function fitted(
  given: readonly (Row | Cells)[],
  head: Cells | null,
  width: number,
  signs = false,
): readonly string[] {
  const rows = given.map((row): Row => onOneLine('cells' in row ? row : { cells: row }))
  const all = [...(head === null ? [] : [head]), ...rows.map(({ cells }) => cells)]
  const count = Math.max(...all.map((cells) => cells.length))
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...all.map((cells) => lengthOf(cells[at]))),
  )
  const whole = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0)
  const cap = signs || isSign(rows[0]?.cells[0]) ? widths[0]! : usualWidth(all)
  // A few names that are longer than the others stand on lines of their own rather than that all rows become blocks.
  const is_capped = cap < widths[0]! && count > 2 && width - whole < Math.min(widths.at(-1)!, minLast(width))
  if (is_capped) widths[0] = cap
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0)
  const left = width - before
  const is_block = left < widths.at(-1)! && (left < minLast(width) || isCut(all, { count, width, left }))
  const lines = is_block
    ? (cells: Cells) => blockOf(cells, { head, width, with_sign: signs || isSign(cells[0]) })
    : (cells: Cells) =>
        lengthOf(cells[0]) > widths[0]! && count > 1
          ? [cells[0]!, ...columnsOf(['', ...cells.slice(1)], { widths, before, left })]
          : columnsOf(cells, { widths, before, left })
  const titles = head === null || is_block ? [] : lines(head).map((line) => styled('bold', line.trimEnd()))
  return [...titles, ...rows.flatMap((row) => [...inStyle(row, lines(row.cells)), ...belowOf(row, width)])]
}

/** Of the first column, as three of four cells keep to it. */
function usualWidth(all: readonly Cells[]): number {
  const lengths = all.map((cells) => lengthOf(cells[0])).toSorted((a, b) => a - b)
  return lengths[Math.floor((lengths.length - 1) * 0.75)] ?? 0
}

/** A cell may be anybody's text, and none of it may look like another row. */
const onOneLine = (row: Row): Row => ({
  ...row,
  cells: row.cells.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')),
})

/** Wider than this, one long word runs over rather than that all rows become blocks. */
const MAX_NARROW = 60

/** Whether a narrow terminal would cut a word of the last column that a block has room for. */
const isCut = (
  all: readonly Cells[],
  { count, width, left }: { readonly count: number; readonly width: number; readonly left: number },
): boolean =>
  width <= MAX_NARROW &&
  all.some((cells) =>
    (cells[count - 1] ?? '')
      .split(' ')
      .some((word) => lengthOf(word) > left && lengthOf(word) <= width - 2 * GAP.length),
  )

const inStyle = ({ style }: Row, lines: readonly string[]): readonly string[] =>
  style === undefined ? lines : lines.map((line) => styled(style, line.trimEnd()))

const belowOf = ({ below = [] }: Row, width: number): readonly string[] =>
  below.flatMap((text) => hanging(text, width - GAP.length).map((line) => GAP + line))

const lengthOf = (cell: string | undefined): number =>
  cell === undefined ? 0 : stripVTControlCharacters(cell).length

const padded = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - lengthOf(cell)))

interface Columns {
  readonly widths: readonly number[]
  /** Of all columns but the last, with the gaps. */
  readonly before: number
  /** For the last. */
  readonly left: number
}

function columnsOf(cells: Cells, { widths, before, left }: Columns): readonly string[] {
  const last = widths.length - 1
  const first = cells.slice(0, last).map((cell, at) => padded(cell, widths[at]!) + GAP)
  const cell = cells[last]
  if (cell === undefined) return [first.join('').trimEnd()]
  const [line = '', ...more] = wrapped(cell, left)
  return [first.join('') + line, ...more.map((text) => ' '.repeat(before) + text)]
}

interface Block {
  readonly head: Cells | null
  readonly width: number
  readonly with_sign: boolean
}

/** The first cell, and below it the others, as many to a line as fit; a sign, or a small number, stands before the second. */
function blockOf(cells: Cells, { head, width, with_sign }: Block): readonly string[] {
  const leading = with_sign ? 2 : 1
  const [sign = '', name = ''] = with_sign ? cells : ['', cells[0]]
  const parts = cells.slice(leading).flatMap((cell, at) => {
    if (cell === '' || cell === '-') return []
    const title = head?.[at + leading]
    return [title === undefined ? cell : `${title.toLowerCase()}: ${cell}`]
  })
  return [
    // A sign stays with what it is about.
    ...wrapped(name, width - lengthOf(sign) - 1).map((line, at) =>
      sign === '' ? line : `${at === 0 ? sign : ' '.repeat(lengthOf(sign))} ${line}`,
    ),
    ...packed(parts, width - GAP.length).flatMap((text) =>
      wrapped(text, width - GAP.length, GAP.length).map(
        (line, number) => GAP.repeat(number === 0 ? 1 : 2) + line,
      ),
    ),
  ]
}

function packed(parts: Cells, width: number): Cells {
  const lines: string[] = []
  for (const part of parts) {
    const line = lines.at(-1)
    if (line !== undefined && lengthOf(line) + GAP.length + lengthOf(part) <= width)
      lines[lines.length - 1] = line + GAP + part
    else lines.push(part)
  }
  return lines
}

/** A sentence, at spaces where a terminal is narrower. Nothing that is to be copied as it is. */
export function tellProse({ out, width = Infinity }: Pick<Terminal, 'out' | 'width'>, text: string): void {
  for (const line of wrappedProse(text, width)) out(line)
}

/** A sentence behind a sign or a title, below which its further lines begin. */
export function tellBeside(
  { out, width = Infinity }: Pick<Terminal, 'out' | 'width'>,
  title: string,
  text: string,
): void {
  const before = lengthOf(title)
  const lines = wrapped(text, width - before)
  for (const [at, line] of lines.entries()) out((at === 0 ? title : ' '.repeat(before)) + line)
}

/** One of several lines of their own, of which a narrow terminal shows where the next begins. */
export function tellItem({ out, width = Infinity }: Pick<Terminal, 'out' | 'width'>, text: string): void {
  for (const line of hanging(text, width)) out(line)
}

/** What does not fit is further in. */
const hanging = (text: string, width: number): readonly string[] => wrappedProse(text, width, GAP)

/** The one sentence of an answer. */
export const tellMessage = ({ message }: { readonly message: string }, terminal: Terminal): void =>
  tellProse(terminal, message)

// eslint-disable-next-line no-control-regex
const STYLED_LINE = /^((?:\u001b\[[0-9;]*m)*)( *)(.*?)((?:\u001b\[[0-9;]*m)*)$/s

/** Line by line, each with its indent and its style. @param further before what does not fit its first line */
export const wrappedProse = (text: string, width: number, further = ''): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [, begin = '', indent = '', words = '', end = ''] = STYLED_LINE.exec(line) ?? []
    const parts = wrapped(words, width - indent.length, further.length)
    return parts.map((part, at) => begin + indent + (at === 0 ? '' : further) + part + end)
  })

/**
 * At spaces; a word that is longer than the line stands on a line of its own. Styles are taken off where it breaks.
 * @param further_in by how much all lines but the first are going to be further in
 */
export function wrapped(text: string, width: number, further_in = 0): readonly string[] {
  if (lengthOf(text) <= Math.max(width, 1)) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of stripVTControlCharacters(text).split(' ')) {
    const left = width - (lines.length === 0 ? 0 : further_in)
    if (line !== '' && line.length + 1 + word.length > left) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
