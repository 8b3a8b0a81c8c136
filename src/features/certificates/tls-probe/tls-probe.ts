/** Handshakes by node:tls. What is served is looked at whether this host trusts it or not; nothing is ever sent. */
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { Handshake, TlsPlace, TlsProbe } from './port.ts'
import { isRefusal, placeOf, wordsOf } from './words.ts'

const WITHIN_MS: Milliseconds = 5000
const LONGEST_CHAIN = 10

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
    while (at !== undefined && chain.length < LONGEST_CHAIN) {
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
