/**
 * What an anonymous request to a protected route may meet. Pure.
 *
 *   302, 303 to another host that is told where to come back to   closed: sent to sign in
 *   401, 403                                                      closed: refused
 *   2xx                                                           open: content
 *   3xx to the same host, or nowhere                              open: only the backend sends its own pages about
 *   3xx to another host                                           unknown: somebody's redirect
 *   everything else (404, 400, 5xx)                               unknown: neither content nor a refusal to sign in
 */
import type { ProbeAnswer } from '../../ports/sso-probe.ts'

export interface Sighting {
  readonly verdict: 'closed' | 'open' | 'unknown'
  /** In words, without values of queries: they may hold what is nobody's business. */
  readonly evidence: string
}

/** @param host that was asked, as it was sent */
export function judgeAnswer({ status, location }: ProbeAnswer, host: string): Sighting {
  if (status === 401 || status === 403) return { verdict: 'closed', evidence: `it answers ${status}` }
  if (status >= 200 && status < 300)
    return { verdict: 'open', evidence: `an anonymous request got content (${status})` }
  if (status >= 300 && status < 400) return judgeRedirect(status, location, host)
  return { verdict: 'unknown', evidence: `it answers ${status}` }
}

function judgeRedirect(status: number, location: string | null, host: string): Sighting {
  const base = `https://${host}/`
  const target = location !== null && URL.canParse(location, base) ? new URL(location, base) : null
  if (target === null || target.hostname === host)
    return {
      verdict: 'open',
      evidence: `an anonymous request was redirected by the backend (${status}), not to the sign-in page`,
    }
  const back = target.searchParams.get('rd') ?? ''
  const comes_back = URL.canParse(back) && new URL(back).hostname === host
  return comes_back && (status === 302 || status === 303)
    ? { verdict: 'closed', evidence: `it sends to ${target.host} to sign in` }
    : { verdict: 'unknown', evidence: `it redirects to ${target.host} (${status})` }
}
