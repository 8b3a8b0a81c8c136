/** The daemon's log over pino: one line per outcome on standard output, secrets hidden, nothing lost at exit. */
import { fstatSync } from 'node:fs'
import { styleText } from 'node:util'
import { type LoggerOptions, pino } from 'pino'
import type { Facts, Log } from '../../kernel/log.ts'
import { type Plain, plainFacts, type PlainObject, plainText } from './plain.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'

export interface LogOptions {
  /** Less important lines are not written. */
  readonly level: Level
  /** `auto`: readable on a terminal, JSON elsewhere. */
  readonly format: 'json' | 'pretty' | 'auto'
  /** Gets whole lines. Default: standard output. */
  readonly destination?: { write(line: string): unknown }
}

const STDOUT = 1

/** Each line is written before its call returns, so that none is lost however the process ends. */
export function createLog({ level, format, destination }: LogOptions): Log {
  const sink = destination ?? standardOutput()
  const journal = destination === undefined && isJournal(STDOUT, process.env['JOURNAL_STREAM'])
  const shape = shapeFor(format, destination === undefined && process.stdout.isTTY)
  // Lines are written one at a time and at once, so the level of the present one is the one last asked for.
  let present: Level = level
  const write = (json: string) => sink.write(journal ? withPriority(present, shape(json)) : shape(json))
  const logger = pino(optionsFor(level, journal), { write })
  const at =
    (wanted: Level) =>
    (message: string, facts: Facts = {}): void => {
      if (!logger.isLevelEnabled(wanted)) return
      present = wanted
      logger[wanted](plainFacts(facts), plainText(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function shapeFor(format: LogOptions['format'], terminal: boolean): (json: string) => string {
  const pretty = format === 'pretty' || (format === 'auto' && terminal)
  if (!pretty) return escapeActive
  const paint = terminal ? paintFor(process.stdout) : noPaint
  return (json) => prettyLine(JSON.parse(json) as LogLine, paint)
}

const optionsFor = (level: Level, journal: boolean): LoggerOptions => ({
  level,
  base: null,
  timestamp: !journal && pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  // What is handed over is bounded already.
  depthLimit: 100,
  edgeLimit: 10_000,
})

function standardOutput(): { write(line: string): unknown } {
  const output = pino.destination({ dest: STDOUT, sync: true })
  // A log that nobody reads any more (EPIPE) is no reason to stop.
  output.on('error', () => undefined)
  return output
}

// Writing for systemd's journal: it stamps the time itself and reads a line's priority from a `<N>` in front (sd-daemon(3)).

const PRIORITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 }

/** Every line of the text begins with the priority. */
const withPriority = (level: string, text: string): string =>
  text.replaceAll(/^(?=.)/gm, `<${PRIORITIES[level] ?? 3}>`)

/**
 * Whether the descriptor leads to the journal. The variable alone is not enough: it is inherited by children whose
 * output goes elsewhere, so its device and inode are compared (systemd.exec(5), `$JOURNAL_STREAM`).
 */
function isJournal(descriptor: number, journal_stream: string | undefined): boolean {
  if (journal_stream === undefined) return false
  try {
    const { dev, ino } = fstatSync(descriptor)
    return journal_stream === `${dev}:${ino}`
  } catch {
    return false
  }
}

// A log line for people: time, level, message, facts as name=value; an error's stack below it, indented.

interface LogLine {
  readonly level: string
  /** RFC 3339; absent where somebody else stamps the time. */
  readonly time?: string
  readonly msg: string
  readonly [fact: string]: Plain | undefined
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours where the terminal has them; `NO_COLOR` is honoured. */
const paintFor =
  (stream: NodeJS.WritableStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream, validateStream: true })

const noPaint: Paint = (_style, text) => text

const LEVEL_STYLES: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
}

/** One line, or more for an error, each ending with a line break. Every control character is escaped. */
function prettyLine({ level, time, msg, ...facts }: LogLine, paint: Paint): string {
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

/**
 * Characters that would act on a terminal or tear a line in two. JSON escapes the C0 controls itself, but not DEL and
 * C1 (CSI, which starts terminal commands), the Unicode line ends, the marks that turn text around, or the byte-order
 * mark.
 */
const ACTIVE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** For a line of JSON: its meaning stays the same. */
const escapeActive = (json: string): string => json.replace(ACTIVE, escaped)

/** For text that is shown as it is. */
const escapeAll = (text: string): string => escapeActive(text.replace(CONTROL, escaped))
