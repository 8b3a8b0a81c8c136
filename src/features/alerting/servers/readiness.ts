/** Whether a server is there, and whether mails of the router go out: what they cannot tell of themselves. */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { type Answer, ask, type Server } from './ask.ts'

/** An answer, whatever its words are; but a page, as one where somebody is to sign in, is something else in its place. */
export const readiness = (server: Server, signal: AbortSignal): Promise<Answer<true>> =>
  ask(server, { path: '/-/ready' }, (text) => (text.trimStart().startsWith('<') ? null : true), signal)

const FAILED = 'alertmanager_notifications_failed_total{'
const OF_MAIL = 'integration="email"'

/**
 * How many mails the router gave up since it runs, for whatever reason; null where the text has no such figure. Line by line:
 * a pattern over the whole text would try without end where no line has its closing brace. Pure.
 */
export function failedMails(text: string): number | null {
  const figures = text.split('\n').flatMap((line) => {
    const end = line.startsWith(FAILED) ? line.lastIndexOf('} ') : -1
    return end > 0 && line.slice(0, end).includes(OF_MAIL) ? Number(line.slice(end + 2)) : []
  })
  return figures.length === 0 || figures.some(Number.isNaN) ? null : figures.reduce((a, b) => a + b)
}

export const countFailedMails = (alertmanager: Server, signal: AbortSignal): Promise<Answer<number>> =>
  ask(alertmanager, { path: '/metrics' }, failedMails, signal)

/** The figure rises once in five minutes while mails fail: so long after a rise they are taken to fail still. */
const FAILING_MS: Milliseconds = 600_000

/** Remembers the figure from look to look. What failed before the first one is not known to fail now. */
export class FailedMails {
  #last: number | null = null
  #risen_at: Instant | null = null

  /** Whether mails fail. A router that started anew counts from 0. */
  isFailing(figure: number, now: Instant): boolean {
    const before = this.#last !== null && figure < this.#last ? 0 : this.#last
    if (before !== null && figure > before) this.#risen_at = now
    this.#last = figure
    return this.#risen_at !== null && Math.abs(now - this.#risen_at) < FAILING_MS
  }
}
