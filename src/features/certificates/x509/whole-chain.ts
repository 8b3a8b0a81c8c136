/** Whether a PEM text is one whole chain, and how a private key is spelt, by Node's own cryptography. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { IsWholeChain, PlainKey } from '../../../ports/x509.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

export const isWholeChain: IsWholeChain = (pem) => {
  // A block with a flipped letter in its frame is none: what is left beside the blocks must be blank.
  if (pem.replaceAll(CERTIFICATE, '').trim() !== '') return false
  try {
    const chain = (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one))
    const [leaf] = chain
    if (leaf === undefined) return false
    if (chain.length === 1) return isSignedBy(leaf, leaf)
    return chain.every((one, i) => i === chain.length - 1 || isSignedBy(one, chain[i + 1]!))
  } catch {
    return false
  }
}

const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

export const plainKey: PlainKey = (key_pem) => {
  try {
    return createPrivateKey(key_pem).export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch {
    return null
  }
}
