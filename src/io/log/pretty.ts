/** A log line for people: time, level, message, facts as name=value; an error's stack below it, indented. */
import { styleText } from 'node:util'
import { escapeActive, escapeAll } from './escape.ts'
import type { Plain, PlainObject } from './plain.ts'

export interface Line {
  readonly level: string
  /** RFC 3339; absent where somebody else stamps the time. */
  readonly time?: string
  readonly msg: string
  readonly [fact: string]: Plain | undefined
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours where the terminal has them; `NO_COLOR` is honoured. */
export const paintFor =
  (stream: NodeJS.WritableStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream, validateStream: true })

export const noPaint: Paint = (_style, text) => text

const LEVEL_STYLES: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
}

/** One line, or more for an error, each ending with a line break. Every control character is escaped. */
export function prettyLine({ level, time, msg, ...facts }: Line, paint: Paint): string {
  const members = Object.entries(facts).filter((member): member is [string, Plain] => member[1] !== undefined)
  const head = [
    ...(time === undefined ? [] : [paint('dim', clockTime(time))]),
    paint(LEVEL_STYLES[level] ?? 'red', level.padEnd(5)),
    escapeAll(msg),
    ...members.map(([name, fact]) => `${paint('dim', `${escapeAll(name)}=`)}${shownFact(fact)}`),
  ]
  return [head.join(' '), ...members.flatMap(([, fact]) => stackOf(fact))].join('\n') + '\n'
}

/** Local time of day. */
function clockTime(time: string): string {
  const at = new Date(time)
  const two = (part: number) => String(part).padStart(2, '0')
  const ms = String(at.getMilliseconds()).padStart(3, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`
}

function shownFact(fact: Plain): string {
  if (typeof fact === 'string' && /^[^\s"'=\\]+$/.test(fact)) return escapeAll(fact)
  return escapeActive(JSON.stringify(withoutStack(fact)))
}

/** Any object with a stack is an error; its stack is shown below the line. */
const isError = (fact: Plain | undefined): fact is PlainObject & { stack: string } =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact) && typeof fact['stack'] === 'string'

function withoutStack(fact: Plain): Plain {
  if (!isError(fact)) return fact
  const { stack: _, cause, ...rest } = fact
  return cause === undefined || isError(cause) ? rest : { ...rest, cause }
}

function stackOf(fact: Plain): string[] {
  if (!isError(fact)) return []
  const frames = fact.stack.split('\n').filter((line) => /^\s+at /.test(line))
  const { cause } = fact
  const caused = isError(cause) ? [`    caused by ${shownFact(cause)}`, ...stackOf(cause)] : []
  return [...frames.map((frame) => `    ${escapeAll(frame.trim())}`), ...caused]
}
