/** Decoded certificates by their text, those of the last content only: one that was renewed is the one that is decoded. */
import { othersTurn } from '../../../kernel/async/others-turn.ts'
import type { AcmeContent, HeldCertificate } from './port.ts'
import type { ReadCertificate } from '../../../ports/x509.ts'
import type { ListedResolver } from './parse-store.ts'

/** So many are decoded in a row (some milliseconds) before others have their turn. */
const IN_A_ROW = 100

type Known = ReadonlyMap<string, HeldCertificate | null>

export class DecodedCertificates {
  readonly #read: ReadCertificate
  #known: Known = new Map()
  /** How many were really decoded, ever. */
  decoded = 0

  constructor(read: ReadCertificate) {
    this.#read = read
  }

  /** How many texts are kept. */
  get kept(): number {
    return this.#known.size
  }

  async content(resolvers: readonly ListedResolver[], signal: AbortSignal): Promise<AcmeContent> {
    const now = new Map<string, HeldCertificate | null>()
    const before = this.decoded
    let breaths = 0
    for (const text of resolvers.flatMap(({ texts }) => texts)) {
      if (text === null || now.has(text)) continue
      const known = this.#known.get(text)
      now.set(text, known === undefined ? this.#decode(text) : known)
      if (this.decoded - before < (breaths + 1) * IN_A_ROW) continue
      breaths++
      await othersTurn()
      signal.throwIfAborted()
    }
    this.#known = now
    return { resolvers: resolvers.map((resolver) => decodedResolver(resolver, now)) }
  }

  /** Null for what cannot be decoded. */
  #decode(text: string): HeldCertificate | null {
    this.decoded++
    try {
      const pem = Buffer.from(text, 'base64').toString('latin1')
      return { ...this.#read(pem), chain_length: pem.split('-----BEGIN CERTIFICATE-----').length - 1 }
    } catch {
      return null
    }
  }
}

function decodedResolver({ name, registration, texts }: ListedResolver, known: Known) {
  const certificates = texts
    .map((text) => (text === null ? null : (known.get(text) ?? null)))
    .filter((facts) => facts !== null)
  return { name, registration, certificates, undecodable: texts.length - certificates.length }
}
