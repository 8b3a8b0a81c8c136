/**
 * Asking a backend whether it is there and what it speaks. Only to an address that was vetted before: nothing is resolved
 * here but by `resolve`, nothing is followed, and no more than 64 KiB of an answer is read.
 */
import type { CertificateFault } from '../../../../model/network/certificate-text.ts'

export interface BackendProbe {
  /** All addresses of a name, in canonical text; empty where it has none. Throws the signal's reason. */
  resolve(name: string, signal: AbortSignal): Promise<readonly string[]>
  /** Opens a connection, listens a moment for a greeting, and closes it. Trouble is an answer. */
  connect(place: BackendPlace, signal: AbortSignal): Promise<Connected>
  /** A TLS handshake, and what a proxy would say of the certificate. Trouble is an answer; an abort throws its reason. */
  handshake(place: BackendPlace, question: TlsQuestion, signal: AbortSignal): Promise<TlsSeen>
  /** Whether it answers HTTP/2 without TLS. An abort throws its reason. */
  speaksH2c(place: BackendPlace, signal: AbortSignal): Promise<boolean>
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

export interface TlsQuestion {
  /** What is asked for, and what the certificate must be for. */
  readonly server_name: string
  /** PEM of what is trusted; null for what this host trusts. */
  readonly roots: string | null
}

export type TlsSeen =
  | {
      readonly ok: true
      /** The certificate itself, without those above it. */
      readonly pem: string
      readonly fingerprint: string
      readonly names: readonly string[]
      /** Why a proxy would refuse it; null where it would not. */
      readonly fault: CertificateFault | null
    }
  | { readonly ok: false; readonly failure: ProbeFailure }

export type ProbeFailure = 'refused' | 'timeout' | 'unreachable' | 'broke_off' | 'not_http' | 'tls_failed'

export type Connected =
  | {
      readonly ok: true
      /** What it said first, without being asked; empty where it waits. At most 256 bytes, printable. */
      readonly greeting: string
    }
  | { readonly ok: false; readonly failure: ProbeFailure }

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
  | { readonly ok: false; readonly failure: ProbeFailure }
