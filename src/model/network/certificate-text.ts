/** Certificates as text (PEM, RFC 7468): read out of what somebody pasted, in one spelling, and what they are good for. */
import { createHash, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { accept, type Parsed, refuse } from '../text/result.ts'

export interface CertificateText {
  /** PEM in its one spelling, with a line break at the end. */
  readonly text: string
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
}

/** Why a proxy refuses the certificate of a backend. */
export const CERTIFICATE_FAULTS = ['untrusted', 'expired', 'not_yet_valid', 'wrong_name', 'no_names'] as const
export type CertificateFault = (typeof CERTIFICATE_FAULTS)[number]

const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** What stands around them is left out, but for a key: that is a secret, and must be no part of a record. */
export function certificatesIn(pem: string): Parsed<readonly CertificateText[]> {
  if (pem.includes('PRIVATE KEY-----')) return fault('holds a private key; send the certificate alone')
  const found: CertificateText[] = []
  for (let begin = pem.indexOf(BEGIN); begin !== -1; begin = pem.indexOf(BEGIN, begin + BEGIN.length)) {
    const end = pem.indexOf(END, begin)
    const body = end === -1 ? '' : pem.slice(begin + BEGIN.length, end).replace(/\s+/g, '')
    const der = BASE64.test(body) ? Buffer.from(body, 'base64') : null
    if (der === null || readDer(der) === null) return fault('holds a certificate that cannot be read')
    found.push({ text: pemOf(der), fingerprint: fingerprintOf(der) })
  }
  return found.length === 0 ? fault(`must hold a certificate, which begins with ${BEGIN}`) : accept(found)
}

const fault = (msg: string): Parsed<never> => refuse('pem', msg)

function readDer(der: Buffer): X509Certificate | null {
  try {
    const read = new X509Certificate(der)
    // Bytes behind it would be another certificate's or nobody's.
    return read.raw.equals(der) ? read : null
  } catch {
    return null
  }
}

const fingerprintOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex')

export function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `${BEGIN}\n${lines.join('\n')}\n${END}\n`
}

export interface Validity {
  /** Milliseconds since the epoch, as the other. */
  readonly from: number
  readonly until: number
}

/** From when until when each of them holds. @param pem in its one spelling */
export function validitiesOf(pem: string): readonly Validity[] {
  const found = certificatesIn(pem)
  if (!found.ok) return []
  return found.value.map(({ text }) => {
    const { validFrom, validTo } = new X509Certificate(text)
    return { from: Date.parse(validFrom), until: Date.parse(validTo) }
  })
}

/** DNS names and addresses that a certificate is for; its common name is none (Go has read none since 1.15). */
export function namesOfCertificate(pem: string): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(pem)
  return subjectAltName.split(', ').flatMap((part) => /^(?:DNS|IP Address):([^"\s,]+)$/.exec(part)?.[1] ?? [])
}

/** As Go judges it: no common name, and a star for one whole label, the first one, also of `*.lan`, which OpenSSL refuses. */
export function isForName(pem: string, name: string): boolean {
  if (isIP(name) !== 0) return new X509Certificate(pem).checkIP(name) !== undefined
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  return namesOfCertificate(pem).some((pattern) => {
    const parts = pattern.toLowerCase().split('.')
    return (
      parts.length === labels.length &&
      parts.every((part, i) => part === labels[i] || (isStar(part, i) && labels.length > 1))
    )
  })
}

const isStar = (part: string, at: number): boolean => at === 0 && part === '*'
