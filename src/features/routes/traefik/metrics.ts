/** Asks the proxy's metrics endpoint what it has counted. Only reads. */
import { othersTurn } from '../../../kernel/async/others-turn.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import type { ProxyTraffic } from './port.ts'
import { serviceCountsIn } from './service-counts.ts'

/** Some lines for each service. */
const MAX_BYTES = 16 * 1024 * 1024
const DEADLINE_MS: Milliseconds = 5000

export interface MetricsParts {
  readonly url: string
  readonly http: HttpClient
  readonly clock: Clock
}

/** Throws `component_unavailable` where nobody answers in time, or what comes is no answer of a metrics endpoint. */
export async function readTraffic(
  { url, http, clock }: MetricsParts,
  signal: AbortSignal,
): Promise<ProxyTraffic> {
  const { status, text } = await http.request({
    method: 'GET',
    url,
    headers: { accept: 'text/plain' },
    signal,
    deadline_ms: DEADLINE_MS,
    max_bytes: MAX_BYTES,
  })
  if (status !== 200) throw unusable(url, `answered with status ${status}`)
  if (!text.includes('# TYPE ')) throw unusable(url, 'answered with something that is no text of metrics')
  const at = clock.now()
  const counts = await serviceCountsIn(text, othersTurn)
  if (counts === null) throw unusable(url, 'answered with counts that cannot be read')
  return { at, ...counts }
}

const unusable = (url: string, what: string): Failure =>
  new Failure('component_unavailable', `${url} ${what}; PLUMBLINE_TRAEFIK_METRICS is to name it.`)
