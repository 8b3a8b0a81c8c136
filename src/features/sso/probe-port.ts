/**
 * Asking a route as somebody who has not signed in, and asking the SSO provider what it says to such a one.
 *
 * Contract of both: one GET for this host, nothing followed, no cookie, no credentials, nothing kept from one question to
 * the next. Of an answer only status and target are looked at, and of a 400 the beginning of its text. Ends within 2 s.
 * Throws a Failure (`component_unavailable`) where nobody answers.
 */
export interface SsoProbe {
  ask(question: ProbeQuestion, signal: AbortSignal): Promise<ProbeAnswer>
}

/** Through which of the proxy's doors: the one for HTTPS, or the one for plain HTTP. */
export const DOORS = ['tls', 'plain'] as const
export type Door = (typeof DOORS)[number]

export interface ProbeQuestion {
  readonly door: Door
  /** Goes as Host, and as TLS name. */
  readonly host: string
  readonly path: string
}

export interface ProbeAnswer {
  readonly status: number
  /** As it was sent; null without one. */
  readonly location: string | null
  /** What a 400 says, cut short; null for every other status. By it the provider's refusal is told from a backend's. */
  readonly words: string | null
}

export const schemeOf = (door: Door): 'https' | 'http' => (door === 'tls' ? 'https' : 'http')
