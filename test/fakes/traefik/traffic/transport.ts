/** How Go's client speaks TLS to a backend (crypto/tls, net/http), as far as it judges otherwise than Node's. */
import { existsSync, readFileSync } from 'node:fs'
import { type RequestOptions as SecureOptions } from 'node:https'
import { isIP } from 'node:net'
import type { PeerCertificate } from 'node:tls'
import { X509Certificate } from 'node:crypto'

export interface Transport {
  readonly serverName?: string
  readonly insecureSkipVerify?: boolean
  readonly rootCAs?: readonly string[]
}

const STRICT = { subject: 'never', partialWildcards: false } as const

/** @param host of the server's URL */
export function tlsOptions(transport: Transport, host: string): SecureOptions {
  const name = transport.serverName ?? host.replace(/^\[|\]$/g, '')
  return {
    rejectUnauthorized: transport.insecureSkipVerify !== true,
    // No address is asked for by SNI (RFC 6066 §3).
    servername: isIP(name) === 0 ? name : '',
    ...(transport.rootCAs !== undefined && { ca: transport.rootCAs.map(fileOrContent) }),
    // Whatever certificate is among the roots is trusted, also one that signed nothing.
    allowPartialTrustChain: true,
    checkServerIdentity: (_asked: string, { raw }: PeerCertificate) => {
      const certificate = new X509Certificate(raw)
      // A common name is none since Go 1.15.
      const is_for = isIP(name) === 0 ? certificate.checkHost(name, STRICT) : certificate.checkIP(name)
      return is_for === undefined
        ? new CertificateError(`x509: certificate is not valid for ${name}`)
        : undefined
    },
  }
}

class CertificateError extends Error {
  readonly code = 'ERR_TLS_CERT_ALTNAME_INVALID'
}

/** What names a file is read: `FileOrContent` of Traefik. */
const fileOrContent = (text: string): string => (existsSync(text) ? readFileSync(text, 'utf8') : text)

/** What is no error of the network is 500 (`ComputeStatusCode` of Traefik's proxy); of a certificate, and of what is no HTTP. */
export const statusOf = (error: Error): 500 | 502 =>
  /^(?:E[A-Z]+|ERR_STREAM.*|ERR_HTTP2.*)$/.test((error as NodeJS.ErrnoException).code ?? '') &&
  (error as NodeJS.ErrnoException).code !== 'EPROTO'
    ? 502
    : 500
