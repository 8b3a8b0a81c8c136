/**
 * Asking a route as somebody who has not signed in.
 *
 * Contract: one GET with this host as Host and as TLS name, nothing followed, no cookie, the body not read. Ends within 2 s.
 * Throws a Failure (`component_unavailable`) where nobody answers.
 */
export interface SsoProbe {
  ask(host: string, path: string, signal: AbortSignal): Promise<ProbeAnswer>
}

export interface ProbeAnswer {
  readonly status: number
  /** As it was sent; null without one. */
  readonly location: string | null
}
