/** A real TLS handshake with a name (SNI), to see what is served. */
import type { CertificateFacts } from '../../../model/network/certificate.ts'

export interface TlsProbe {
  /** Ends by its own bound of 5 s and by the signal, whose reason is thrown. All other trouble is an answer. */
  handshake(place: TlsPlace, signal: AbortSignal): Promise<Handshake>
}

export interface TlsPlace {
  readonly host: string
  readonly port: number
  /** The name that is asked for. */
  readonly name: string
}

export type Handshake =
  | {
      readonly ok: true
      /** `TLSv1.3` */
      readonly protocol: string
      /** What was served, the certificate itself first. */
      readonly chain: readonly CertificateFacts[]
      /** Why this host would not trust it, in the words of OpenSSL; null when it would. */
      readonly distrust: string | null
    }
  | {
      readonly ok: false
      readonly detail: string
      /** Somebody answered, and has nothing to show for this very name. */
      readonly refused?: true
    }
