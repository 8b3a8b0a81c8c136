/**
 * Traefik's acme.json to what may leave it. The account's key, its address and the certificates' keys are stepped over, and
 * nothing of the file is quoted: of a file that is something else, any word may be a secret.
 */
import { JSON_BOUNDS, type JsonBounds, jsonExcess } from '../../../kernel/text/json-bounds.ts'
import { isRecord } from '../../../kernel/text/lenient.ts'

/** One resolver whose certificates are still texts (base64 of PEM); null stands for what is no text. */
export interface ListedResolver {
  readonly name: string
  readonly registration: string | null
  readonly texts: readonly (string | null)[]
}

export type Parsed =
  | { readonly kind: 'resolvers'; readonly resolvers: readonly ListedResolver[] }
  /** Nothing but blanks. */
  | { readonly kind: 'empty' }
  /** Ends before it is whole. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'other'; readonly what: string }

/** Traefik's own goes six deep. */
const BOUNDS: JsonBounds = { ...JSON_BOUNDS, depth: 32 }
const MAX_NAME = 200

export function parseStore(bytes: Buffer): Parsed {
  const excess = jsonExcess(bytes, BOUNDS)
  if (excess !== null) return other(excess)
  const text = bytes.toString('utf8')
  if (text.trim() === '') return { kind: 'empty' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { kind: 'cut' }
  }
  if (!isRecord(json)) return other('holds JSON, but no object')
  if ('DomainsCertificate' in json) return other('is of Traefik 1, which is not read')
  const resolvers: ListedResolver[] = []
  for (const [name, entry] of Object.entries(json)) {
    const resolver = name.length > MAX_NAME ? null : resolverOf(name, entry)
    if (resolver === null) return other('holds JSON, but an entry that is no resolver of Traefik')
    resolvers.push(resolver)
  }
  return { kind: 'resolvers', resolvers: resolvers.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

const other = (what: string): Parsed => ({ kind: 'other', what })

/** Null for what is none. A list that is something else must not pass for an empty one. */
function resolverOf(name: string, entry: unknown): ListedResolver | null {
  if (!isRecord(entry) || !('Account' in entry || 'Certificates' in entry)) return null
  const { Account: account = null, Certificates: listed = null } = entry
  if (account !== null && !isRecord(account)) return null
  if (listed !== null && !Array.isArray(listed)) return null
  return { name, registration: registrationIn(account), texts: (listed ?? []).map(textOf) }
}

const textOf = (listed: unknown): string | null =>
  isRecord(listed) && typeof listed['certificate'] === 'string' ? listed['certificate'] : null

/** RFC 8555 §7.1.2. Any other word could be anything. */
const STATUSES = ['valid', 'deactivated', 'revoked']

/** `Account.Registration.body.status`; null where the account is not registered. */
function registrationIn(account: Readonly<Record<string, unknown>> | null): string | null {
  const registration = account?.['Registration']
  if (!isRecord(registration)) return null
  const body = registration['body']
  return STATUSES.find((status) => isRecord(body) && body['status'] === status) ?? 'unknown'
}
