/** A certificate's own words, read by Node's X.509 parser. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import { Failure } from '../../kernel/failure.ts'
import type { CertificateFacts } from '../../model/certificate.ts'

export function readCertificate(pem: string): CertificateFacts {
  try {
    return factsOf(new X509Certificate(pem))
  } catch (cause) {
    throw new Failure('malformed_request', 'This is no X.509 certificate in PEM form.', { cause })
  }
}

/** @param certificate also one that a peer showed in a handshake */
export const factsOf = (certificate: X509Certificate): CertificateFacts => ({
  names: namesIn(certificate.subjectAltName ?? ''),
  not_before: Date.parse(certificate.validFrom),
  not_after: Date.parse(certificate.validTo),
  issuer: issuerIn(certificate.issuer),
  serial: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
  key_type: keyType(certificate.publicKey),
  fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
})

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

function keyType({ asymmetricKeyType: kind, asymmetricKeyDetails }: KeyObject): string {
  const { namedCurve, modulusLength } = asymmetricKeyDetails ?? {}
  if (namedCurve !== undefined) return CURVES[namedCurve] ?? `EC ${namedCurve}`
  if (kind === undefined) return 'unknown'
  return modulusLength === undefined ? kind : `${kind.toUpperCase()} ${modulusLength}`
}
