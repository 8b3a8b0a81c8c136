/**
 * What an anonymous request to a protected route may meet. Pure.
 *
 *   302, 303 to another host that is told where to come back to   closed: sent to sign in
 *   401, 403                                                      closed: refused; unknown where the route turns people away
 *                                                                 by their address, before anybody is asked to sign in, and
 *                                                                 where the provider answers the same question otherwise
 *   400 in the provider's own words                               closed: that is how it refuses plain http, and hosts that
 *                                                                 none of its cookie domains covers
 *   2xx                                                           open: content
 *   3xx from plain http to https, same host                       passed on: it proves nothing, and opens nothing
 *   other 3xx to the same host, or nowhere                        open: only the backend sends its own pages about
 *   3xx to another host                                           unknown: somebody's redirect
 *   everything else (404, 400, 5xx)                               unknown: neither content nor a refusal to sign in
 */
import { type Door, type ProbeAnswer, schemeOf } from '../probe-port.ts'

export interface AnswerEvaluation {
  readonly result: 'closed' | 'open' | 'unknown' | 'passed_on'
  /** In words, without values of queries: they may hold what is nobody's business. */
  readonly evidence: string
}

export interface ProofRequest {
  readonly door: Door
  /** As it was sent. */
  readonly host: string
  /** The route turns people away by their address before they are asked to sign in. */
  readonly by_address: boolean
  /** The route has a check of its own before that, such as a password. */
  readonly by_own_check: boolean
  /** What the SSO provider itself says to the same question; null where it was not asked, or did not answer. */
  readonly provider: ProbeAnswer | null
}

export function evaluateAnswer(answer: ProbeAnswer, asked: ProofRequest): AnswerEvaluation {
  const { status } = answer
  if (status === 403 && asked.by_address)
    return unknown(
      'its list of addresses may have refused this host (403) before anybody is asked to sign in',
    )
  if (isRefusal(status)) return evaluateRefusal(answer, asked)
  if (status >= 200 && status < 300)
    return { result: 'open', evidence: `an anonymous request got content (${status})` }
  if (status >= 300 && status < 400) return evaluateRedirect(answer, asked)
  if (status === 400) return evaluateBadRequest(answer, asked)
  return unknown(`it answers ${status}`)
}

/** Statuses that a backend may answer as well, so that the provider is asked, too. */
export const needsProvider = (
  { status }: ProbeAnswer,
  { by_own_check }: Pick<ProofRequest, 'by_own_check'>,
): boolean => status === 400 || (isRefusal(status) && !by_own_check)

const isRefusal = (status: number): boolean => status === 401 || status === 403

const unknown = (evidence: string): AnswerEvaluation => ({ result: 'unknown', evidence })

function evaluateRedirect({ status, location }: ProbeAnswer, { door, host }: ProofRequest): AnswerEvaluation {
  const base = `${schemeOf(door)}://${host}/`
  const target = location !== null && URL.canParse(location, base) ? new URL(location, base) : null
  if (target?.hostname === host && door === 'plain' && target.protocol === 'https:')
    return { result: 'passed_on', evidence: `it redirects plain http to https (${status})` }
  if (target === null || target.hostname === host)
    return {
      result: 'open',
      evidence: `an anonymous request was redirected by the backend (${status}), not to the sign-in page`,
    }
  const back = target.searchParams.get('rd') ?? ''
  const comes_back = URL.canParse(back) && new URL(back).hostname === host
  return comes_back && (status === 302 || status === 303)
    ? { result: 'closed', evidence: `it sends to ${target.host} to sign in` }
    : unknown(`it redirects to ${target.host} (${status})`)
}

/** A backend may answer 400 as well, so it counts only where the provider, asked itself, says the very same. */
function evaluateBadRequest({ words }: ProbeAnswer, { provider }: ProofRequest): AnswerEvaluation {
  if (provider === null)
    return unknown('it answers 400, and the SSO provider could not be asked whether that is its word')
  return provider.status === 400 && provider.words === words
    ? { result: 'closed', evidence: 'the SSO provider refuses it whoever asks (400)' }
    : unknown('it answers 400, and not as the SSO provider does')
}

/** A backend with a sign-in of its own refuses, too, where nobody stands before it. */
function evaluateRefusal(
  { status }: ProbeAnswer,
  { by_own_check, provider }: ProofRequest,
): AnswerEvaluation {
  const is_others = !by_own_check && provider !== null && provider.status < 500 && !isRefusal(provider.status)
  return is_others
    ? unknown(
        `it answers ${status}, which is not the SSO provider's word (it answers ${provider.status} to the same): something else refuses, and may stand open to others`,
      )
    : { result: 'closed', evidence: `it answers ${status}` }
}
