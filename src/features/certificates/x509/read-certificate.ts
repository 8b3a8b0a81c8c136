/** A certificate's own words, read by Node's X.509 parser. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { ReadChain } from '../../../ports/x509.ts'

export function readCertificate(pem: string): CertificateFacts {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(pem)
  } catch (cause) {
    throw new Failure('malformed_request', 'This is no X.509 certificate in PEM form.', { cause })
  }
  return factsOf(certificate)
}

const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'

export const readChain: ReadChain = (pem) => {
  const chain: CertificateFacts[] = []
  for (let begin = pem.indexOf(BEGIN); begin !== -1; begin = pem.indexOf(BEGIN, begin + BEGIN.length)) {
    const end = pem.indexOf(END, begin)
    if (end === -1) throw new Failure('malformed_request', 'A certificate in this PEM text has no end.')
    chain.push(readCertificate(pem.slice(begin, end + END.length)))
  }
  if (chain.length === 0) throw new Failure('malformed_request', 'There is no certificate in this PEM text.')
  return chain
}

/**
 * Throws a Failure (`malformed_request`) for dates that are none.
 * @param certificate also one that a peer showed in a handshake
 */
export const factsOf = (certificate: X509Certificate): CertificateFacts => ({
  names: namesIn(certificate.subjectAltName ?? ''),
  not_before: instantOf(certificate.validFrom),
  not_after: instantOf(certificate.validTo),
  issuer: issuerIn(certificate.issuer),
  serial: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
  key_type: keyTypeOf(certificate),
  fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
})

/** `Nov 21 07:15:28 2026 GMT`, or `Bad time value`. */
function instantOf(text: string): Instant {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new Failure('malformed_request', 'This certificate has a date that is none.')
  return at
}

/**
 * `DNS:a.example.com, DNS:b.example.com`. A name that Node puts in quotes holds what no host name may hold, such as a
 * comma that would make it look like two: it is none of ours.
 */
const namesIn = (alternatives: string): string[] =>
  [
    ...new Set(
      alternatives
        .split(', ')
        .flatMap((part) => /^DNS:([^"\s,]+)$/.exec(part)?.[1] ?? [])
        .map((name) => name.toLowerCase()),
    ),
  ].sort()

/** One attribute a line. */
const issuerIn = (name: string): string => /^CN=(.+)$/m.exec(name)?.[1] ?? name.replaceAll('\n', ', ')

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'EC P-256',
  secp384r1: 'EC P-384',
  secp521r1: 'EC P-521',
}

/** OpenSSL has no key object for an algorithm that it does not know. */
function keyTypeOf(certificate: X509Certificate): string {
  try {
    return keyType(certificate.publicKey)
  } catch {
    return 'unknown'
  }
}

function keyType({ asymmetricKeyType: kind, asymmetricKeyDetails }: KeyObject): string {
  const { namedCurve, modulusLength } = asymmetricKeyDetails ?? {}
  if (namedCurve !== undefined) return CURVES[namedCurve] ?? `EC ${namedCurve}`
  if (kind === undefined) return 'unknown'
  return modulusLength === undefined ? kind : `${kind.toUpperCase()} ${modulusLength}`
}
