/** The house's log over pino: one line per outcome on standard output, secrets hidden, nothing lost at exit. */
import { pino } from 'pino'
import type { Facts, Log } from '../../kernel/log.ts'
import { escapeActive } from './escape.ts'
import { isJournal, withPriority } from './journal.ts'
import { plainFacts, plainText } from './plain.ts'
import { type Line, noPaint, paintFor, prettyLine } from './pretty.ts'

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
  const terminal = destination === undefined && process.stdout.isTTY
  const pretty = format === 'pretty' || (format === 'auto' && terminal)
  const paint = terminal ? paintFor(process.stdout) : noPaint

  const shape = (json: string): string =>
    pretty ? prettyLine(JSON.parse(json) as Line, paint) : escapeActive(json)
  // Lines are written one at a time and at once, so the level of the present one is the one last asked for.
  let present: Level = level
  const write = (json: string) => sink.write(journal ? withPriority(present, shape(json)) : shape(json))

  const logger = pino(
    {
      level,
      base: null,
      timestamp: !journal && pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // What is handed over is bounded already.
      depthLimit: 100,
      edgeLimit: 10_000,
    },
    { write },
  )
  const at =
    (wanted: Level) =>
    (message: string, facts: Facts = {}): void => {
      if (!logger.isLevelEnabled(wanted)) return
      present = wanted
      logger[wanted](plainFacts(facts), plainText(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function standardOutput(): { write(line: string): unknown } {
  const output = pino.destination({ dest: STDOUT, sync: true })
  // A log that nobody reads any more (EPIPE) is no reason to stop.
  output.on('error', () => undefined)
  return output
}
