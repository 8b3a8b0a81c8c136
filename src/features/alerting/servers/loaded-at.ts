/** When a server has read its files last, by its own clock. */
import type { Instant } from '../../../kernel/clock.ts'
import { ask, type Server } from './ask.ts'

/** Of Prometheus and of Alertmanager: a gauge in seconds, 0 before the first time. */
const GAUGE = /^(?:prometheus|alertmanager)_config_last_reload_success_timestamp_seconds ([0-9.e+]+)$/

/** Null where it does not say. */
export async function loadedAt(server: Server, signal: AbortSignal): Promise<Instant | null> {
  const answer = await ask(server, { path: '/metrics' }, readLoadedAt, signal)
  return answer.known ? answer.state : null
}

/** Pure. */
export function readLoadedAt(text: string): Instant | null {
  const figures = text.split('\n').flatMap((line) => GAUGE.exec(line)?.[1] ?? [])
  const seconds = figures.length === 1 ? Number(figures[0]) : Number.NaN
  return Number.isNaN(seconds) ? null : Math.floor(seconds * 1000)
}
