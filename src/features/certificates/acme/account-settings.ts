/** Looks at an account's key and binding before they are handed to the library, whose errors quote what they cannot read. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { AcmeSettings } from './port.ts'

const CURVES = ['prime256v1', 'secp384r1']

/** @param pem EC P-256, EC P-384 or RSA. Throws a Failure (`bad_configuration`) that holds nothing of it. */
export function checkAccountKey(pem: Secret): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = privateKey(pem)
  const { namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType !== 'rsa' && !CURVES.includes(namedCurve))
    throw new Failure('bad_configuration', 'The ACME account key must be EC P-256, EC P-384 or RSA.')
}

function privateKey(pem: Secret): KeyObject {
  try {
    return createPrivateKey(pem.reveal())
  } catch {
    // OpenSSL's own error is left out: it is not ours to say what it quotes.
    throw new Failure('bad_configuration', 'The ACME account key is no unencrypted private key in PEM form.')
  }
}

/** For the library. Some authorities hand the HMAC key out in plain base64; it reads both. */
export function bindingOf(
  eab: AcmeSettings['eab'],
): { readonly kid: string; readonly hmacKey: string } | null {
  if (eab === null) return null
  const hmacKey = eab.hmac_key.reveal()
  if (!/^[\w+/-]+={0,2}$/.test(hmacKey))
    throw new Failure(
      'provider_credentials',
      `The HMAC key of the external account ${eab.kid} is not base64url: copy it again as the authority shows it.`,
    )
  return { kid: eab.kid, hmacKey }
}
