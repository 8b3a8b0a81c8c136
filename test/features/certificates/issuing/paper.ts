/**
 * Keys and certificates that are mere papers: PEM around JSON. What is tried with them is the order of steps; real
 * cryptography has its own tests. Any lifetime can be had, and thousands in a second.
 */
import { sha256 } from '../../../../src/kernel/digest.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import type { CertificateFacts } from '../../../../src/model/network/certificate.ts'
import type { CertificateRequest } from '../../../../src/features/certificates/issuing/request.ts'
import type { IsWholeChain, KeyFits, PlainKey, ReadChain } from '../../../../src/ports/x509.ts'

export interface Paper {
  readonly names: readonly string[]
  readonly key: string
  readonly serial: string
  readonly not_before: number
  readonly not_after: number
}

const wrap = (label: string, text: string): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(text).toString('base64')}\n-----END ${label}-----\n`

function unwrap(label: string, pem: string): string {
  const body = new RegExp(`-----BEGIN ${label}-----([^-]+)-----END ${label}-----`).exec(pem)?.[1]
  if (body === undefined) throw new Failure('malformed_request', `There is no ${label} here.`)
  return Buffer.from(body, 'base64').toString()
}

export const newRequest = (key: string, names: readonly string[]): CertificateRequest => ({
  key_pem: wrap('PRIVATE KEY', key),
  csr: Buffer.from(JSON.stringify({ key, names })),
})

export const readRequest = (csr: Uint8Array): { key: string; names: string[] } =>
  JSON.parse(Buffer.from(csr).toString()) as { key: string; names: string[] }

export const chainOf = (paper: Paper): string =>
  wrap('CERTIFICATE', JSON.stringify(paper)) + wrap('CERTIFICATE', '{"root":true}')

const paperIn = (pem: string): Paper => JSON.parse(unwrap('CERTIFICATE', pem)) as Paper

export const readPaper = (pem: string): CertificateFacts => {
  const { names, serial, not_before, not_after } = paperIn(pem)
  const fingerprint = sha256([unwrap('CERTIFICATE', pem)])
  return { names, not_before, not_after, serial, issuer: 'Paper CA', key_type: 'EC P-256', fingerprint }
}

export const readPapers: ReadChain = (pem) => [readPaper(pem)]
export const paperFits: KeyFits = (chain_pem, key_pem) => {
  try {
    return paperIn(chain_pem).key === unwrap('PRIVATE KEY', key_pem)
  } catch {
    return false
  }
}
const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
export const isWholePaper: IsWholeChain = (pem) =>
  pem.replaceAll(BLOCK, '').trim() === '' && (pem.match(BLOCK)?.length ?? 0) === 2
export const plainPaperKey: PlainKey = (key_pem) => {
  try {
    return wrap('PRIVATE KEY', unwrap('PRIVATE KEY', key_pem))
  } catch {
    return null
  }
}
export const paperId = (chain_pem: string): string => `ari.${paperIn(chain_pem).serial}`
