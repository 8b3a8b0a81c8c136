/**
 * From evidence to a suggestion. Pure. The first line that holds wins:
 *
 *   nothing listens                              nothing is suggested
 *   it speaks first, or takes no HTTP            tcp-proxy
 *   an API description                           api
 *   the upgrade is taken, the page is no page    websocket
 *   the same empty page for any path             spa
 *   JSON at the root                             api
 *   like a file server                           static
 *   any HTTP                                     http
 */
import type { Protocol, ServiceType } from '../../../model/domain/record.ts'
import { type Evidence, pageOf, type ProbeName, type Seen } from './findings.ts'

export interface Suggestion {
  readonly service_type: ServiceType
  readonly protocol: Protocol
  /** From 0 to 1, in tenths: how far the evidence carries. */
  readonly confidence: number
  readonly because: string
}

export function suggestionOf(seen: Seen, evidence: readonly Evidence[]): Suggestion | null {
  const { connected } = seen
  if (!connected.ok) return null
  const found = (probe: ProbeName) => evidence.find((one) => one.probe === probe)?.found ?? null
  const page = pageOf(seen)
  if (page === null) {
    const confidence = connected.greeting !== '' ? 0.9 : 0.6
    const because =
      connected.greeting !== ''
        ? 'It speaks first, and takes no HTTP.'
        : 'The port is open, and takes no HTTP.'
    return { service_type: 'tcp-proxy', protocol: 'tcp', confidence, because }
  }
  const http = (service_type: ServiceType, confidence: number, because: string): Suggestion => ({
    service_type,
    protocol: 'http',
    confidence,
    because,
  })
  if (found('api_description') === true) return http('api', 0.9, 'It describes itself as an API.')
  const is_page = page.status === 200 && /text\/html/i.test(page.headers['content-type'] ?? '')
  if (found('websocket') === true && !is_page)
    return http('websocket', 0.9, 'It takes WebSockets, and shows no page beside them.')
  if (found('spa') === true) return http('spa', 0.9, 'One page for every path, filled by scripts.')
  if (/^application\/(?:[a-z.-]+\+)?json/i.test(page.headers['content-type'] ?? ''))
    return http('api', 0.7, 'It answers JSON at its root.')
  if (found('static') === true) return http('static', 0.7, 'It answers like a file server.')
  if (found('spa') === null && is_page) return http('spa', 0.5, 'A page that is filled by scripts.')
  return http('http', is_page ? 0.7 : 0.5, 'It speaks HTTP, and nothing says more.')
}
