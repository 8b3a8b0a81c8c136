/**
 * Requests by service out of the text that Traefik shows Prometheus. Pure and linear; lines of anything else are passed over.
 * Counters begin with the proxy, and Traefik shows a service only once it was asked.
 */
import type { Instant } from '../../../kernel/clock.ts'

export interface ServiceCount {
  readonly requests: number
  /** Answered with 5xx. */
  readonly server_errors: number
}

export interface ServiceCounts {
  /** By the name of the service with its provider. Null where no service is counted at all: that may be switched off. */
  readonly services: ReadonlyMap<string, ServiceCount> | null
  /** Since when it counts; null where the text does not say. */
  readonly since: Instant | null
}

const SERIES = 'traefik_service_requests_total{'
const START = 'process_start_time_seconds '

export function serviceCountsIn(text: string): ServiceCounts {
  const services = new Map<string, ServiceCount>()
  let since: Instant | null = null
  for (const line of linesOf(text)) {
    if (line.startsWith(START)) since = instantIn(line.slice(START.length))
    if (!line.startsWith(SERIES)) continue
    const end = line.lastIndexOf('}')
    const count = Number(
      line
        .slice(end + 1)
        .trim()
        .split(' ')[0],
    )
    const labels = labelsIn(line.slice(SERIES.length, end))
    const service = labels.get('service')
    if (service === undefined || !Number.isFinite(count) || count < 0) continue
    const { requests, server_errors } = services.get(service) ?? { requests: 0, server_errors: 0 }
    const is_error = /^5\d\d$/.test(labels.get('code') ?? '')
    services.set(service, {
      requests: requests + count,
      server_errors: server_errors + (is_error ? count : 0),
    })
  }
  return { services: services.size === 0 ? null : services, since }
}

function* linesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    yield text.slice(start, end)
    start = end + 1
  }
}

const LABEL = /([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"/g

/** Of names that need no escape, as those of ours. */
const labelsIn = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value]))

function instantIn(text: string): Instant | null {
  const seconds = Number(text.trim())
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null
}
