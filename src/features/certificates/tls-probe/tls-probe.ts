/** Handshakes by node:tls. What is served is looked at whether this host trusts it or not; nothing is ever sent. */
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { systemErrorCode } from '../../../kernel/failure.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { Handshake, TlsPlace, TlsProbe } from './port.ts'

const WITHIN_MS: Milliseconds = 5000
const MAX_CHAIN = 10

export interface TlsProbeOptions {
  /** May throw for a certificate that cannot be read. */
  readonly factsOf: (certificate: X509Certificate) => CertificateFacts
  readonly within_ms?: Milliseconds
}

export const tlsProbe = ({ factsOf, within_ms = WITHIN_MS }: TlsProbeOptions): TlsProbe => ({
  handshake: (place, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const socket = beginHandshake(place)
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        socket.destroy()
      }
      const answer = (handshake: Handshake) => {
        end()
        resolve(handshake)
      }
      const fail = (words: string) => answer({ ok: false, detail: `${placeOf(place)} ${words}.` })
      const abort = () => {
        end()
        reject(signal.reason as Error)
      }
      const timer = setTimeout(
        () => fail(`did not finish a handshake within ${within_ms / 1000} s`),
        within_ms,
      )
      signal.addEventListener('abort', abort, { once: true })
      socket.once('secureConnect', () => answer(served(socket, place, factsOf)))
      // More than one may come; only the first settles the promise.
      socket.on('error', (error) =>
        answer({ ok: false, detail: wordsOf(error, place), ...(isRefusal(error) && { refused: true }) }),
      )
      socket.once('close', () => fail('hung up during the handshake'))
    }),
})

function beginHandshake({ host, port, name }: TlsPlace): TLSSocket {
  // A wildcard is no name that can be asked for; any name below it is answered alike.
  const servername = name.startsWith('*.') ? `plumbline-any${name.slice(1)}` : name
  return connect({ host, port, rejectUnauthorized: false, ...(isIP(servername) === 0 && { servername }) })
}

function served(socket: TLSSocket, place: TlsPlace, factsOf: TlsProbeOptions['factsOf']): Handshake {
  const leaf = socket.getPeerX509Certificate()
  if (leaf === undefined) return { ok: false, detail: `${placeOf(place)} showed no certificate.` }
  const chain = chainOf(leaf, factsOf)
  if (chain === null)
    return { ok: false, detail: `${placeOf(place)} showed a certificate that cannot be read.` }
  const distrust = socket.authorized ? null : String(socket.authorizationError)
  return { ok: true, protocol: socket.getProtocol() ?? 'unknown', chain, distrust }
}

/** This runs within the socket's event, where an error would end the process: a peer may show whatever it likes. */
function chainOf(
  leaf: X509Certificate,
  factsOf: TlsProbeOptions['factsOf'],
): readonly CertificateFacts[] | null {
  const chain: CertificateFacts[] = []
  let at: X509Certificate | undefined = leaf
  try {
    while (at !== undefined && chain.length < MAX_CHAIN) {
      const facts = factsOf(at)
      // One that signed itself is its own issuer.
      if (facts.fingerprint === chain.at(-1)?.fingerprint) break
      chain.push(facts)
      at = at.issuerCertificate
    }
  } catch {
    // What stands above one that cannot be read is left out.
  }
  return chain.length === 0 ? null : chain
}

// What went wrong with a handshake, in plain words with what would help.

const NO_TLS = 'does not speak TLS on this port. Is it the port of the https entrypoint?'
const REFUSED_HELLO = 'refused the handshake. Its log says why; often it has no certificate for this name'
const OTHER_VERSION = 'speaks no version of TLS that is still in use (1.2 or 1.3)'

/** By the code of the system or of OpenSSL. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: nothing listens there. Is the proxy running?',
  // Whoever knocks goes by the resolver of this host, not by the name servers that the DNS lamp rests on.
  ENOTFOUND:
    'has no address by the resolver of this host, which may keep an older answer or another view than the name servers. PLUMBLINE_TLS_ADDRESS asks the proxy itself',
  EAI_AGAIN: 'could not be resolved now: the resolver of this host does not answer',
  ETIMEDOUT: 'does not answer. Is a firewall in between?',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ECONNRESET: 'broke the connection off during the handshake',
  EPIPE: 'broke the connection off during the handshake',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  ERR_SSL_UNEXPECTED_MESSAGE: NO_TLS,
  ERR_SSL_RECORD_LAYER_FAILURE: NO_TLS,
  ERR_SSL_BAD_RECORD_TYPE: NO_TLS,
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'has no certificate for this name (alert unrecognized_name)',
  ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME: 'has no certificate for this name (alert unrecognized_name)',
  ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR: `${REFUSED_HELLO} (alert internal_error)`,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: `${REFUSED_HELLO} (alert handshake_failure)`,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': `${REFUSED_HELLO} (alert handshake_failure)`,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OTHER_VERSION,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OTHER_VERSION,
}

/** Alerts by which a peer that speaks TLS says that it has nothing for this very name. */
const REFUSED: ReadonlySet<string> = new Set([
  'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
  'ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME',
  'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
])

const isRefusal = (error: Error): boolean => REFUSED.has(systemErrorCode(error) ?? '')

function wordsOf(error: Error, place: TlsPlace): string {
  const code = systemErrorCode(error)
  const known = code === null ? undefined : WORDS[code]

  return `${placeOf(place)} ${known ?? `failed the handshake (${code ?? 'unknown error'})`}${known?.endsWith('?') ? '' : '.'}`
}

const placeOf = ({ host, port }: TlsPlace): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
