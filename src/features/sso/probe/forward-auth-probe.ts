/** Asks the forward-auth endpoint of the SSO provider as the proxy does for somebody who has not signed in (Authelia 4.38 and later). */
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import { schemeOf, type SsoProbe } from '../probe-port.ts'

const WITHIN_MS: Milliseconds = 2_000
const MAX_BYTES = 64 * 1024
const MAX_WORDS = 1024

/** @param sso_url where the proxy reaches the provider */
export const forwardAuthUrl = (sso_url: string): string => new URL('/api/authz/forward-auth', sso_url).href

/** @param url `http://authelia:9091/api/authz/forward-auth` */
export const forwardAuthProbe = (url: string, http: HttpClient): SsoProbe => ({
  async ask({ door, host, path }, signal) {
    const { status, headers, text } = await http.request({
      method: 'GET',
      url,
      headers: {
        accept: 'text/html',
        'user-agent': 'plumbline',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': host,
        'x-forwarded-method': 'GET',
        'x-forwarded-proto': schemeOf(door),
        'x-forwarded-uri': path,
      },
      signal,
      deadline_ms: WITHIN_MS,
      max_bytes: MAX_BYTES,
    })
    const words = status === 400 ? text.slice(0, MAX_WORDS) : null
    return { status, location: headers['location'] ?? null, words }
  },
})
