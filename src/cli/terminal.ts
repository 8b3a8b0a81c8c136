/** Where a verb writes, and how: text for people, JSON for programs, colour only on a terminal that wants it. */
import { styleText } from 'node:util'

export interface Terminal {
  /** A line on standard output: the answer. */
  out(line: string): void
  /** A line on standard error: progress and complaints. */
  note(line: string): void
  /** What goes on just now, on a line of standard error that is written over; null takes it away. */
  status?(line: string | null): void
  /** True when the answer is to be JSON. */
  readonly json: boolean
}

type Style = Parameters<typeof styleText>[0]

/** Styled where standard output is a terminal that shows colours (`NO_COLOR` is honoured). */
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout })

/** Columns padded to their widest cell; the last one is left as it is. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
  )
}

/** A unified diff with its usual colours. */
export function coloured(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---')) return styled('bold', line)
      if (line.startsWith('@@')) return styled('cyan', line)
      if (line.startsWith('+')) return styled('green', line)
      return line.startsWith('-') ? styled('red', line) : line
    })
    .join('\n')
}

/** `2030-01-31T12:00:00.000Z` as `2030-01-31 12:00:00Z`. */
export const shortTime = (iso: string): string => iso.replace(/T(.{8})\.[0-9]+Z$/, ' $1Z')
