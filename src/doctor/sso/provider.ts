/** Asks the SSO provider how it is, and what it says to somebody who has not signed in. */
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { forwardAuthProbe, forwardAuthUrl } from '../../features/sso/probe/forward-auth-probe.ts'
import type { Finding } from '../../cli/verb.ts'
import type { Settings } from '../../config/sections.ts'
import { type Milliseconds, systemClock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { HttpClient } from '../../ports/http-client.ts'
import { bad, warning } from '../finding.ts'
import { evaluateForwardAuth, evaluateHealth } from './evaluate.ts'

const WITHIN_MS: Milliseconds = 10_000
const MAX_BYTES = 65_536

/** @param within_ms for all of the answer @param tell how grave it is when nobody answers */
export function provider(
  { sso, routes }: Settings,
  within_ms = WITHIN_MS,
  tell: typeof bad = bad,
): Promise<readonly Finding[]> {
  const url = sso.health_url ?? new URL('/api/health', routes.sso_url).href
  const remedy =
    'See that it runs, and that this host reaches it: PLUMBLINE_SSO_URL or PLUMBLINE_SSO_HEALTH_URL.'
  return overHttp(
    async (http, signal) => {
      const sent_at = systemClock.now()
      const { status, headers } = await http.request({
        method: 'GET',
        url,
        signal,
        deadline_ms: within_ms,
        max_bytes: MAX_BYTES,
      })
      const between = { from: sent_at, to: systemClock.now() }
      return evaluateHealth({ url, status, date: headers['date'] ?? null }, between)
    },
    (failure) => [tell('SSO provider', failure.message, remedy)],
  )
}

/** @param host of a protected record */
export function forwardAuth({ routes }: Settings, host: string): Promise<Finding> {
  const url = forwardAuthUrl(routes.sso_url)
  const remedy =
    'Where only the proxy reaches it, this is no fault; protected routes answer 500 while the proxy does not.'
  return overHttp(
    async (http, signal) => {
      const answer = await forwardAuthProbe(url, http).ask({ door: 'tls', host, path: '/' }, signal)
      return evaluateForwardAuth(answer, { url, host })
    },
    (failure) => warning('SSO check', failure.message, remedy),
  )
}

async function overHttp<T>(
  look: (http: HttpClient, signal: AbortSignal) => Promise<T>,
  unanswered: (failure: Failure) => T,
): Promise<T> {
  const http = createHttpClient({ clock: systemClock })
  try {
    // Nobody ends an examination early. Time is kept by each request's deadline, which is a Failure; a signal's would be thrown on.
    return await look(http, new AbortController().signal)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return unanswered(error)
  } finally {
    await http.close()
  }
}
