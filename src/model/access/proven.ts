/** What a deploy knows of its protected routes: which are open to whoever has not signed in, and of which nobody knows. */

export interface OpenRoute {
  readonly domain_id: number
  readonly domain: string
  /** Sentences: what was seen, or why nothing was, and what helps. */
  readonly detail: string
}

export interface UnprovenRoute extends OpenRoute {
  /** `not_seen`: not yet. The others: nobody asks, or nothing could be proven. */
  readonly cause: 'not_seen' | 'not_configured' | 'not_provable'
}

export interface ProvenRoutes {
  /** Asked when the proxy had them, and open. */
  readonly open_routes: readonly OpenRoute[]
  /** Not known to be closed. */
  readonly not_proven: readonly UnprovenRoute[]
}
