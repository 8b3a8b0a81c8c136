/** A new key and the request for its certificate (PKCS #10, RFC 2986). */
import { Failure } from '../../../kernel/failure.ts'
import type { MakeRequest } from '../issuing/request.ts'
import { loadLibrary } from './library.ts'
import { derOf } from './pem.ts'

const NAME = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/
const MAX_NAMES = 100

export const makeRequest: MakeRequest = async (names) => {
  const wrong = names.find((name) => !NAME.test(name) || name.length > 253)
  if (wrong !== undefined || names.length === 0 || names.length > MAX_NAMES)
    throw new Failure(
      'malformed_request',
      `No certificate can be asked for ${wrong ?? `${names.length} names`}.`,
    )
  const { crypto } = await loadLibrary()
  const key = await crypto.createPrivateEcdsaKey('P-256')
  // No common name: names stand in the extension alone (Baseline Requirements §7.1.4.3).
  const [, csr] = await crypto.createCsr({ altNames: [...names] }, key)
  return { key_pem: key.toString(), csr: derOf(csr.toString()) }
}
