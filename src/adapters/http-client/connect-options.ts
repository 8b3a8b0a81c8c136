/** How a connection is made where it is not plain TCP or a certificate of a known authority. */
import type { TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { Trouble } from './trouble.ts'

export interface ConnectOptions {
  /** A unix socket that all requests go to, whatever host their address names. */
  readonly socket_path?: string
  /**
   * SHA-256 of the one certificate that is accepted, lower-case hexadecimal, instead of any authority's word. It is
   * compared before anything is sent, so a stranger learns no key.
   */
  readonly pinned_sha256?: string
  /** Certificates (PEM) of the authorities that are believed, in place of the known ones. */
  readonly ca?: string
}

export function connectorOf({ socket_path, pinned_sha256, ca }: ConnectOptions): buildConnector.connector {
  const socket = socket_path === undefined ? {} : { socketPath: socket_path }
  if (pinned_sha256 === undefined)
    return buildConnector({ timeout: 0, ...socket, ...(ca !== undefined && { ca }) })
  // A resumed session shows no certificate, so none is kept.
  const connect = buildConnector({ timeout: 0, ...socket, rejectUnauthorized: false, maxCachedSessions: 0 })
  return (options, callback) =>
    connect(options, (error, made) => {
      if (error !== null) return callback(error, null)
      const seen = fingerprintOf(made as TLSSocket)
      if (seen === pinned_sha256) return callback(null, made)
      made.destroy()
      callback(
        new Trouble(`has another certificate than the pinned one; its SHA-256 is ${seen ?? 'not told'}`),
        null,
      )
    })
}

function fingerprintOf(socket: TLSSocket): string | null {
  const fingerprint = socket.getPeerCertificate?.().fingerprint256
  return fingerprint === undefined ? null : fingerprint.replaceAll(':', '').toLowerCase()
}
