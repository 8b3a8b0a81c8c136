/**
 * Asking a backend whether it is there and what it speaks. Only to an address that was vetted before: nothing is resolved
 * here but by `resolve`, nothing is followed, and no more than 64 KiB of an answer is read.
 */
export interface BackendProbe {
  /** All addresses of a name, in canonical text; empty where it has none. Throws the signal's reason. */
  resolve(name: string, signal: AbortSignal): Promise<readonly string[]>
  /** Opens a connection, listens a moment for a greeting, and closes it. Trouble is an answer. */
  connect(place: BackendPlace, signal: AbortSignal): Promise<Connected>
  /** One GET. Trouble is an answer; an abort by the signal throws its reason. */
  get(place: BackendPlace, question: HttpQuestion, signal: AbortSignal): Promise<HttpSeen>
}

export interface BackendPlace {
  /** A literal. */
  readonly address: string
  readonly port: number
  /** What the Host header and the TLS handshake say. */
  readonly name: string
}

export interface HttpQuestion {
  readonly tls: boolean
  readonly path: string
  /** Asks for a WebSocket (RFC 6455). */
  readonly upgrade?: boolean
}

export type ProbeTrouble = 'refused' | 'timeout' | 'unreachable' | 'broke_off' | 'not_http' | 'tls_failed'

export type Connected =
  | {
      readonly ok: true
      /** What it said first, without being asked; empty where it waits. At most 256 bytes, printable. */
      readonly greeting: string
    }
  | { readonly ok: false; readonly trouble: ProbeTrouble }

export type HttpSeen =
  | {
      readonly ok: true
      /** 101 where the upgrade was taken. */
      readonly status: number
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>
      /** The beginning of the body, at most 64 KiB. */
      readonly text: string
      readonly truncated: boolean
    }
  | { readonly ok: false; readonly trouble: ProbeTrouble }
