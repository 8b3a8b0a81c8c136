/** Whether a server is there, and whether mails of the router go out: what they cannot tell of themselves. */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { type Answer, ask, type Server } from './ask.ts'

/** An answer, whatever its words are; but a page, as one where somebody is to sign in, is something else in its place. */
export const readiness = (server: Server, signal: AbortSignal): Promise<Answer<true>> =>
  ask(server, { path: '/-/ready' }, (text) => (text.trimStart().startsWith('<') ? null : true), signal)

const FAILED = /^alertmanager_notifications_failed_total\{[^}]*integration="email"[^}]*\} (\S+)$/gm

/** How many mails the router gave up since it runs, for whatever reason; null where the text has no such figure. Pure. */
export function failedMails(text: string): number | null {
  const figures = [...text.matchAll(FAILED)].map(([, figure]) => Number(figure))
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
    return this.#risen_at !== null && now - this.#risen_at < FAILING_MS
  }
}
