/** Handshakes by node:tls. What is served is looked at whether this host trusts it or not; nothing is ever sent. */
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Milliseconds } from '../../kernel/clock.ts'
import { systemErrorCode } from '../../kernel/failure.ts'
import type { CertificateFacts } from '../../model/certificate.ts'
import type { Handshake, TlsPlace, TlsProbe } from '../../ports/tls-probe.ts'

const WITHIN_MS: Milliseconds = 5000
const LONGEST_CHAIN = 10

export interface TlsProbeOptions {
  readonly factsOf: (certificate: X509Certificate) => CertificateFacts
  readonly within_ms?: Milliseconds
}

export const tlsProbe = ({ factsOf, within_ms = WITHIN_MS }: TlsProbeOptions): TlsProbe => ({
  handshake: (place, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const { host, port, name } = place
      // A wildcard is no name that can be asked for; any name below it is answered alike.
      const servername = name.startsWith('*.') ? `plumbline-any${name.slice(1)}` : name
      const socket = connect({
        host,
        port,
        rejectUnauthorized: false,
        ...(isIP(servername) === 0 && { servername }),
      })
      const end = (answer: Handshake) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        socket.destroy()
        resolve(answer)
      }
      const abort = () => {
        end({ ok: false, detail: 'given up' })
        reject(signal.reason as Error)
      }
      const timer = setTimeout(
        () =>
          end({
            ok: false,
            detail: `${placeOf(place)} did not finish a handshake within ${within_ms / 1000} s.`,
          }),
        within_ms,
      )
      signal.addEventListener('abort', abort, { once: true })
      socket.once('secureConnect', () => end(served(socket, place, factsOf)))
      socket.once('error', (error) => end({ ok: false, detail: wordsOf(error, place) }))
      socket.once('close', () =>
        end({ ok: false, detail: `${placeOf(place)} hung up during the handshake.` }),
      )
    }),
})

function served(socket: TLSSocket, place: TlsPlace, factsOf: TlsProbeOptions['factsOf']): Handshake {
  const chain: CertificateFacts[] = []
  let at = socket.getPeerX509Certificate()
  while (at !== undefined && chain.length < LONGEST_CHAIN) {
    const facts = factsOf(at)
    // One that signed itself is its own issuer.
    if (facts.fingerprint === chain.at(-1)?.fingerprint) break
    chain.push(facts)
    at = at.issuerCertificate
  }
  if (chain.length === 0) return { ok: false, detail: `${placeOf(place)} showed no certificate.` }
  const distrust = socket.authorized ? null : String(socket.authorizationError)
  return { ok: true, protocol: socket.getProtocol() ?? 'unknown', chain, distrust }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: nothing listens there',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'could not be resolved now',
  ETIMEDOUT: 'does not answer',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ECONNRESET: 'broke the connection off',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS on this port',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'has no certificate for this name (unrecognized_name)',
}

function wordsOf(error: Error, place: TlsPlace): string {
  const code = systemErrorCode(error) ?? (error as { code?: unknown }).code
  const words = typeof code === 'string' ? WORDS[code] : undefined
  return `${placeOf(place)} ${words ?? `failed the handshake (${typeof code === 'string' ? code : error.message})`}.`
}

const placeOf = ({ host, port }: TlsPlace): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
