/** How a connection is made where it is not plain TCP or a certificate of a known authority. */
import { readFile } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { buildConnector } from 'undici'
import { systemErrorCode } from '../../kernel/failure.ts'
import { PeerError } from './errors.ts'

export interface ConnectOptions {
  /** A unix socket that all requests go to, whatever host their address names. */
  readonly socket_path?: string
  /**
   * SHA-256 of the one certificate that is accepted, lower-case hexadecimal, instead of any authority's word. It is
   * compared before anything is sent, so a stranger learns no key.
   */
  readonly pinned_sha256?: string
  /** Certificates of both sides, read at each connection, so that renewed ones are taken up. */
  readonly tls_files?: TlsFiles
  /** Addresses of a host, where no resolver is to be asked; none: it does not resolve. */
  readonly addresses_of?: (host: string) => readonly string[]
  /** Certificates (PEM) of the authorities that are believed, in place of the known ones. */
  readonly ca?: string
}

export interface TlsFiles {
  /** The only authority that is believed. */
  readonly ca: string
  /** What we show, and its key. */
  readonly cert: string
  readonly key: string
}

export function connectorOf({
  socket_path,
  pinned_sha256,
  tls_files,
  ca,
  addresses_of,
}: ConnectOptions): buildConnector.connector {
  if (tls_files !== undefined) return withFiles(tls_files)
  const socket = {
    ...(socket_path !== undefined && { socketPath: socket_path }),
    ...(addresses_of !== undefined && { lookup: lookupIn(addresses_of) }),
  }
  if (pinned_sha256 === undefined)
    return buildConnector({ timeout: 0, ...socket, ...(ca !== undefined && { ca }) })
  // A resumed session shows no certificate, so none is kept.
  const connect = buildConnector({ timeout: 0, ...socket, rejectUnauthorized: false, maxCachedSessions: 0 })
  return pinnedTo(pinned_sha256, connect)
}

const pinnedTo =
  (pinned_sha256: string, connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, made) => {
      if (error !== null) return callback(error, null)
      const seen = fingerprintOf(made as TLSSocket)
      if (seen === pinned_sha256) return callback(null, made)
      made.destroy()
      callback(
        new PeerError(`has another certificate than the pinned one; its SHA-256 is ${seen ?? 'not told'}`),
        null,
      )
    })

const lookupIn =
  (addresses_of: (host: string) => readonly string[]): LookupFunction =>
  (host, { all }, callback) => {
    const found = addresses_of(host).map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (first === undefined)
      callback(Object.assign(new Error(`${host} does not resolve`), { code: 'ENOTFOUND' }), [])
    else if (all === true) callback(null, found)
    else callback(null, first.address, first.family)
  }

const withFiles =
  (files: TlsFiles): buildConnector.connector =>
  (options, callback) =>
    void connectWith(files, options, callback)

async function connectWith(
  files: TlsFiles,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> {
  let secureContext: SecureContext
  try {
    secureContext = await contextOf(files)
  } catch (error) {
    return callback(error as Error, null)
  }
  buildConnector({ timeout: 0, maxCachedSessions: 0, secureContext })(options, callback)
}

/** Throws a `Trouble` that names the files, and nothing of what is in them. */
async function contextOf({ ca, cert, key }: TlsFiles): Promise<SecureContext> {
  const [authority, own, secret] = await Promise.all([textOf(ca), textOf(cert), textOf(key)])
  try {
    return createSecureContext({ ca: authority, cert: own, key: secret })
  } catch {
    throw new PeerError(
      `needs ${cert} and ${key} to be a certificate and its key, and ${ca} one of an authority`,
    )
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new PeerError(
      `needs the file ${path}, which cannot be read (${systemErrorCode(error) ?? 'failed'})`,
    )
  }
}

function fingerprintOf(socket: TLSSocket): string | null {
  const fingerprint = socket.getPeerCertificate?.().fingerprint256
  return fingerprint === undefined ? null : fingerprint.replaceAll(':', '').toLowerCase()
}
