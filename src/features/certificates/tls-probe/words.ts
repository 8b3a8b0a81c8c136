/** What went wrong with a handshake, in plain words with what would help. */
import { systemErrorCode } from '../../../kernel/failure.ts'
import type { TlsPlace } from './port.ts'

const NO_TLS = 'does not speak TLS on this port. Is it the port of the https entrypoint?'
const REFUSED_HELLO = 'refused the handshake. Its log says why; often it has no certificate for this name'
const OTHER_VERSION = 'speaks no version of TLS that is still in use (1.2 or 1.3)'

/** By the code of the system or of OpenSSL. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: nothing listens there. Is the proxy running?',
  ENOTFOUND: 'has no address. Is its DNS record published?',
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

export const isRefusal = (error: Error): boolean => REFUSED.has(systemErrorCode(error) ?? '')

export function wordsOf(error: Error, place: TlsPlace): string {
  const code = systemErrorCode(error)
  const known = code === null ? undefined : WORDS[code]

  return `${placeOf(place)} ${known ?? `failed the handshake (${code ?? 'unknown error'})`}${known?.endsWith('?') ? '' : '.'}`
}

export const placeOf = ({ host, port }: TlsPlace): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
