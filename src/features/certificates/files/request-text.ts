/** A key and the request that it signed, as one PEM text, so that one rename puts both on the disk. */
import type { CertificateRequest } from '../issuing/request.ts'

const REQUEST = 'CERTIFICATE REQUEST'
const KEY_BLOCK = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----\n?/
const REQUEST_BLOCK = new RegExp(`-----BEGIN ${REQUEST}-----([A-Za-z0-9+/=\\s]+)-----END ${REQUEST}-----`)

export function requestText({ key_pem, csr }: CertificateRequest): string {
  const lines = Buffer.from(csr).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return `${key_pem.trimEnd()}\n-----BEGIN ${REQUEST}-----\n${lines}\n-----END ${REQUEST}-----\n`
}

/** Null for any other text. */
export function partsOfRequest(text: string): CertificateRequest | null {
  const key = KEY_BLOCK.exec(text)?.[0]
  const csr = REQUEST_BLOCK.exec(text)?.[1]
  return key === undefined || csr === undefined ? null : { key_pem: key, csr: Buffer.from(csr, 'base64') }
}
