/**
 * Requests by service out of the text that Traefik shows Prometheus, in its text format 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/. Linear, whatever stands there; series of others are passed over.
 * Counters begin with the proxy, and Traefik shows a service only once it was asked.
 */
import type { Instant } from '../../../kernel/clock.ts'

export interface ServiceCount {
  readonly requests: number
  /** Answered with 5xx. */
  readonly server_errors: number
}

export interface ServiceCounts {
  /**
   * By the name of the service with its provider; null for one with a count that is none. Null as a whole where no service is
   * counted at all: that may be switched off.
   */
  readonly services: ReadonlyMap<string, ServiceCount | null> | null
  /** Since when it counts; null where the text does not say. */
  readonly since: Instant | null
}

const SERIES = 'traefik_service_requests_total{'
const START = 'process_start_time_seconds '
/** Lines that are read between two turns of others: 2 ms of them. */
const PIECE_LINES = 2000

/** @returns null for a count whose labels cannot be read: it may be one of anybody's, so no sum is known */
export async function serviceCountsIn(
  text: string,
  othersTurn: () => Promise<void>,
): Promise<ServiceCounts | null> {
  const services = new Map<string, ServiceCount | null>()
  let since: Instant | null = null
  let lines = 0
  for (const line of linesOf(text)) {
    if (++lines % PIECE_LINES === 0) await othersTurn()
    if (line.startsWith(START)) since = instantIn(line.slice(START.length))
    if (!line.startsWith(SERIES)) continue
    const read = labelsAt(line, SERIES.length)
    const service = read?.labels.get('service')
    if (read === null || service === undefined) return null
    const count = countIn(line.slice(read.end))
    services.set(service, added(services.get(service), count, read.labels.get('code')))
  }
  return { services: services.size === 0 ? null : services, since }
}

/** A sum without one of its parts is not known. */
function added(
  before: ServiceCount | null | undefined,
  count: number | null,
  code: string | undefined,
): ServiceCount | null {
  if (before === null || count === null || code === undefined) return null
  const { requests, server_errors } = before ?? { requests: 0, server_errors: 0 }
  return { requests: requests + count, server_errors: server_errors + (/^5\d\d$/.test(code) ? count : 0) }
}

function* linesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    yield text.slice(start, end)
    start = end + 1
  }
}

/** A name of Traefik's has some dozen characters, a service's at most some hundred. */
const LABEL_NAME = /[A-Za-z_][A-Za-z0-9_]{0,99}="/y

interface Labels {
  readonly labels: ReadonlyMap<string, string>
  /** Behind the brace. */
  readonly end: number
}

/** `name="value",…}`; null for anything else, such as a line that was cut off, or a name that stands twice. */
function labelsAt(line: string, start: number): Labels | null {
  const labels = new Map<string, string>()
  for (let at = start; at < line.length;) {
    if (line[at] === '}') return { labels, end: at + 1 }
    LABEL_NAME.lastIndex = at
    const head = LABEL_NAME.exec(line)?.[0]
    if (head === undefined) return null
    const close = endOfValue(line, at + head.length)
    const name = head.slice(0, -2)
    if (close === null || labels.has(name)) return null
    labels.set(name, unescaped(line.slice(at + head.length, close)))
    at = line[close + 1] === ',' ? close + 2 : close + 1
    if (line[at - 1] !== ',' && line[at] !== '}') return null
  }
  return null
}

/** Where the quote stands that ends a value; null where none does. */
function endOfValue(line: string, start: number): number | null {
  for (let at = start; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === '"') return at
  }
  return null
}

const unescaped = (value: string): string =>
  value.includes('\\')
    ? value.replaceAll(/\\(.)/gs, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    : value

/** A time may stand behind it. Null for what counts nothing: nothing at all, NaN, an infinity, less than 0. */
function countIn(text: string): number | null {
  const said = /^ {1,9}([0-9][0-9.e+-]{0,30})(?:\s|$)/i.exec(text)?.[1]
  const count = Number(said)
  return count >= 0 && count <= Number.MAX_SAFE_INTEGER ? count : null
}

/** The last that a date can say (ECMA-262, time values). */
const LAST: Instant = 8.64e15

function instantIn(text: string): Instant | null {
  const at = Math.round(Number(text.trim()) * 1000)
  return at > 0 && at <= LAST ? at : null
}
