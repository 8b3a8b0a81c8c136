/**
 * Traefik's acme.json to what may leave it: names and dates. The account's key, its address and the certificates' keys are
 * stepped over, never copied.
 */
import type { CertificateFacts } from '../../model/certificate.ts'
import type { AcmeContent, AcmeResolver } from '../../ports/acme-store.ts'
import type { ReadCertificate } from '../../ports/x509.ts'

export type Parsed =
  | { readonly kind: 'content'; readonly content: AcmeContent }
  /** Cut or empty, as in the middle of a write. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'other'; readonly what: string }

/** Decoded certificates by their text, those of the last content. */
export class DecodedCertificates {
  readonly #read: ReadCertificate
  #known: ReadonlyMap<string, CertificateFacts | null> = new Map()
  #next = new Map<string, CertificateFacts | null>()
  /** How many were really decoded, ever. */
  decoded = 0

  constructor(read: ReadCertificate) {
    this.#read = read
  }

  /** Null for what cannot be decoded. */
  of(text: string): CertificateFacts | null {
    const known = this.#next.get(text) ?? this.#known.get(text)
    const facts = known === undefined ? this.#decode(text) : known
    this.#next.set(text, facts)
    return facts
  }

  /** What was not asked for since the last time is forgotten. */
  turn(): void {
    this.#known = this.#next
    this.#next = new Map()
  }

  #decode(text: string): CertificateFacts | null {
    this.decoded++
    try {
      return this.#read(Buffer.from(text, 'base64').toString('latin1'))
    } catch {
      return null
    }
  }
}

export function parseStore(text: string, decoded: DecodedCertificates): Parsed {
  if (text.trim() === '') return { kind: 'cut' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { kind: 'cut' }
  }
  if (!isObject(json)) return { kind: 'other', what: 'holds no object' }
  if ('DomainsCertificate' in json) return { kind: 'other', what: 'is of Traefik 1, which is not read' }
  const resolvers: AcmeResolver[] = []
  for (const [name, entry] of Object.entries(json)) {
    if (!isObject(entry) || !('Account' in entry || 'Certificates' in entry))
      return { kind: 'other', what: `holds under ${JSON.stringify(name.slice(0, 50))} what is no resolver` }
    resolvers.push(resolverOf(name, entry, decoded))
  }
  decoded.turn()
  return { kind: 'content', content: { resolvers: resolvers.sort((a, b) => (a.name < b.name ? -1 : 1)) } }
}

function resolverOf(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  decoded: DecodedCertificates,
): AcmeResolver {
  const listed = Array.isArray(entry['Certificates']) ? (entry['Certificates'] as readonly unknown[]) : []
  const found = listed.map((one) =>
    isObject(one) && typeof one['certificate'] === 'string' ? decoded.of(one['certificate']) : null,
  )
  const certificates = found.filter((facts) => facts !== null)
  return {
    name,
    registration: registrationIn(entry['Account']),
    certificates,
    undecodable: found.length - certificates.length,
  }
}

/** `Account.Registration.body.status`, a word and nothing else. */
function registrationIn(account: unknown): string | null {
  const registration = isObject(account) ? account['Registration'] : null
  const body = isObject(registration) ? registration['body'] : null
  const status = isObject(body) ? body['status'] : null
  if (typeof status === 'string' && /^[a-z]{1,20}$/.test(status)) return status
  return isObject(registration) ? 'unknown' : null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
