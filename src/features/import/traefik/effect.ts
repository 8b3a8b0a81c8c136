/** What a router's middlewares come to, in the words of a record. */
import type { HeadersConfig } from '../../../model/domain/response-headers.ts'
import { accept, type Parsed, refuse } from '../../../model/text/result.ts'

export interface Landing {
  readonly path: string
  /** The one host for which it holds, or null for any. */
  readonly host: string | null
}

export interface Effect {
  /** Somebody is asked to sign in. */
  readonly auth: boolean
  /** Null origin: any. */
  readonly cors: { readonly origin: string | null } | null
  readonly landing: Landing | null
  readonly internal: boolean
  readonly websocket: boolean
  readonly redirects_to_https: boolean
  /** What its `headers` middlewares say, outermost first. */
  readonly headers: readonly HeadersConfig[]
  /** Catalogue names, in order. */
  readonly extras: readonly string[]
  /** What differs a little under the record, as sentences without a full stop. */
  readonly notes: readonly string[]
}

export const NO_EFFECT: Effect = {
  auth: false,
  cors: null,
  landing: null,
  internal: false,
  websocket: false,
  redirects_to_https: false,
  headers: [],
  extras: [],
  notes: [],
}

export const effect = (part: Partial<Effect>): Parsed<Effect> => accept({ ...NO_EFFECT, ...part })

/** One after the other. Two answers to the same question are refused, since only one could be kept. */
export function both(a: Effect, b: Effect): Parsed<Effect> {
  if (a.cors !== null && b.cors !== null) return refuse('middleware', 'sets CORS headers twice')
  if (a.landing !== null && b.landing !== null) return refuse('middleware', 'redirects its root twice')
  return accept({
    auth: a.auth || b.auth,
    cors: a.cors ?? b.cors,
    landing: a.landing ?? b.landing,
    internal: a.internal || b.internal,
    websocket: a.websocket || b.websocket,
    redirects_to_https: a.redirects_to_https || b.redirects_to_https,
    headers: [...a.headers, ...b.headers],
    extras: [...a.extras, ...b.extras.filter((name) => !a.extras.includes(name))],
    notes: [...a.notes, ...b.notes],
  })
}
