/** Key pairs of WireGuard, as `wg genkey` and `wg pubkey` make them. */
import { generateKeyPairSync } from 'node:crypto'

export interface KeyPair {
  readonly private_key: string
  readonly public_key: string
}

export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  return {
    private_key: standard(privateKey.export({ format: 'jwk' }).d),
    public_key: standard(publicKey.export({ format: 'jwk' }).x),
  }
}

const standard = (text = ''): string => Buffer.from(text, 'base64url').toString('base64')
