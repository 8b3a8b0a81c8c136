/** Where a verb writes, and how: text for people, JSON for programs, colour only on a terminal that wants it. */
import { styleText } from 'node:util'
import { visibleJson } from '../../kernel/text/visible.ts'

export interface Terminal {
  /** A line on standard output: the answer. */
  readonly out: (line: string) => void
  /** A line on standard error: progress and complaints. */
  readonly note: (line: string) => void
  /** What goes on just now, on a line of standard error that is written over; null takes it away. */
  readonly status?: (line: string | null) => void
  /**
   * Asks the person, and answers the line that they typed. Left out where nobody can be asked.
   * @param interrupted what is said when Ctrl-C ends the command at this question
   */
  readonly ask?: (question: string, interrupted: string) => Promise<string>
  /** Where somebody is asked whose standard output is no terminal: there they see what they are asked about. */
  readonly beside?: (line: string) => void
  /** Whether nobody reads the answer any more, so that what never ends can. */
  readonly isClosed?: () => boolean
  /** Columns of the terminal; left out where the answer goes into a pipe or a file. */
  readonly width?: number
  /** True when the answer is to be JSON. */
  readonly json: boolean
}

export type Style = Parameters<typeof styleText>[0]

/** Styled where standard output is a terminal that shows colours (`NO_COLOR` is honoured). */
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout })

/** Where whoever is asked sees what they are asked about. */
export const shownTo = (terminal: Terminal): Terminal =>
  terminal.beside === undefined ? terminal : { ...terminal, out: terminal.beside }

/** The answer as programs read it. */
export const tellJson = ({ out }: Pick<Terminal, 'out'>, answer: unknown): void => out(visibleJson(answer))

/** The answer as JSON where that is asked for, else as text. */
export function tellAs<T>(
  terminal: Terminal,
  answer: T,
  text: (answer: T, terminal: Terminal) => void,
): void {
  if (terminal.json) tellJson(terminal, answer)
  else text(answer, terminal)
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
