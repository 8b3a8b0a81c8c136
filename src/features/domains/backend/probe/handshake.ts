/** One TLS handshake with a backend, evaluated as the proxy would: Go reads no common name, and any root is an anchor. */
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import {
  type CertificateFault,
  certificatesIn,
  isForName,
  namesOfCertificate,
  pemOf,
} from '../../../../model/network/certificate-text.ts'
import type { BackendPlace, TlsQuestion, TlsSeen } from './port.ts'
import { answered, type Bounds } from './answered.ts'
import { probeFailureOf } from './probe-failure.ts'

export const handshakeOnce = (
  { address, port }: BackendPlace,
  { server_name, roots }: TlsQuestion,
  bounds: Bounds,
): Promise<TlsSeen> =>
  answered<TlsSeen>(bounds, (answer) => {
    const socket = connect({
      host: address,
      port,
      rejectUnauthorized: false,
      // Names are judged below.
      checkServerIdentity: () => undefined,
      ...(isIP(server_name) === 0 && { servername: server_name }),
      ...(roots !== null && { ca: [roots] }),
      ...PARTIAL_CHAIN,
    })
    socket.once('secureConnect', () => answer(seenOn(socket, server_name)))
    socket.on('error', (error) => answer({ ok: false, failure: probeFailureOf(error) }))
    socket.once('close', () => answer({ ok: false, failure: 'broke_off' }))
    return { connection: socket, late: () => ({ ok: false, failure: 'timeout' }) }
  })

/** Whatever certificate is among the roots ends the chain, also one that signed nothing. */
const PARTIAL_CHAIN = { allowPartialTrustChain: true } as object

function seenOn(socket: TLSSocket, server_name: string): TlsSeen {
  const leaf = socket.getPeerX509Certificate()
  // This runs within the socket's event: a peer may show what it likes.
  const found = leaf === undefined ? null : certificatesIn(pemOf(leaf.raw))
  if (leaf === undefined || found?.ok !== true) return { ok: false, failure: 'tls_failed' }
  const [{ text: pem, fingerprint }] = found.value as [(typeof found.value)[number]]
  const names = namesOfCertificate(pem)
  // Of a chain that is of nobody and out of date as well, only the dates are told: of the dates, the leaf's alone count.
  const is_trusted = socket.authorized
  return { ok: true, pem, fingerprint, names, fault: faultOf({ leaf, pem, names, server_name, is_trusted }) }
}

interface ShownChain {
  readonly leaf: X509Certificate
  readonly pem: string
  readonly names: readonly string[]
  readonly server_name: string
  readonly is_trusted: boolean
}

function faultOf({ leaf, pem, names, server_name, is_trusted }: ShownChain): CertificateFault | null {
  const now = Date.now()
  if (names.length === 0) return 'no_names'
  if (Date.parse(leaf.validTo) < now) return 'expired'
  if (Date.parse(leaf.validFrom) > now) return 'not_yet_valid'
  if (!is_trusted) return 'untrusted'
  return isForName(pem, server_name) ? null : 'wrong_name'
}
