/** Whether key and certificate belong together, by Node's own cryptography. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { KeyFits } from '../../../ports/x509.ts'

export const keyFits: KeyFits = (chain_pem, key_pem) => {
  try {
    return new X509Certificate(chain_pem).checkPrivateKey(createPrivateKey(key_pem))
  } catch {
    return false
  }
}
