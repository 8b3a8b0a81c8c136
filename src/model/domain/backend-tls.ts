/** How the proxy speaks to a backend: by which scheme, and, over TLS, by what it knows that it is the right one. */
import { isIP } from 'node:net'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { certificatesIn, type CertificateText } from '../network/certificate-text.ts'
import { parseBackendName } from './hostname.ts'
import { accept, type Parsed, refuse } from '../text/result.ts'
import { textFault } from '../text/text.ts'

export const BACKEND_SCHEMES = ['http', 'https', 'h2c'] as const
export type BackendScheme = (typeof BACKEND_SCHEMES)[number]

/**
 * system: an authority that the proxy's host trusts. ca: an authority of one's own. certificate: this very certificate.
 * insecure: whoever answers.
 */
export const BACKEND_TRUSTS = ['system', 'ca', 'certificate', 'insecure'] as const
export type BackendTrust = (typeof BACKEND_TRUSTS)[number]

/** A key is there only where it says something: two of the same meaning are equal. */
export interface BackendTls {
  readonly trust: BackendTrust
  /** What the certificate must be for, and what is asked for by SNI; `backend_host` where it is left out. */
  readonly server_name?: string
  /** Of `ca` and `certificate`: certificates alone, in their one spelling. */
  readonly pem?: string
  /** Of `ca`, in place of `pem`: a file of the installation's folder, without its ending. */
  readonly ca_name?: string
  /** Of `certificate`: SHA-256 of what `pem` holds, or is to hold once it was fetched. */
  readonly fingerprint?: string
}

type Key = keyof BackendTls
const KEYS: Readonly<Record<BackendTrust, readonly Key[]>> = {
  system: ['trust', 'server_name'],
  ca: ['trust', 'server_name', 'pem', 'ca_name'],
  certificate: ['trust', 'server_name', 'pem', 'fingerprint'],
  insecure: ['trust', 'server_name'],
}
const ALL_KEYS = ['trust', 'server_name', 'pem', 'ca_name', 'fingerprint']

export const MAX_PEM = 32_768
export const MAX_AUTHORITIES = 20
export const AUTHORITY_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/
/** As browsers and openssl write it, or without colons. */
export const FINGERPRINT = /^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})$/

/** The scheme of a record: what it says, or what its port means. */
export const schemeOf = (record: {
  readonly backend_scheme: BackendScheme | null
  readonly backend_port: number | null
}): BackendScheme => record.backend_scheme ?? (record.backend_port === 443 ? 'https' : 'http')

export function parseBackendTls(value: unknown): Parsed<BackendTls> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('must be an object such as {"trust":"insecure"}')
  const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
  const unknown = Object.keys(given).find((key) => !ALL_KEYS.includes(key))
  if (unknown !== undefined)
    return wrong(`has the unknown key "${unknown.slice(0, 64)}".${didYouMean(unknown, ALL_KEYS)}`)
  const trust = given['trust'] as BackendTrust
  if (!BACKEND_TRUSTS.includes(trust)) return wrong(`trust must be one of ${BACKEND_TRUSTS.join(', ')}`)
  const misplaced = Object.keys(given).find((key) => !KEYS[trust].includes(key as Key))
  if (misplaced !== undefined) return wrong(`${misplaced} means nothing for trust ${trust}; leave it out`)
  const name = given['server_name'] === undefined ? null : parseServerName(given['server_name'])
  if (name?.ok === false) return name
  const parts =
    trust === 'ca' ? parseAuthority(given) : trust === 'certificate' ? parsePinned(given) : accept({})
  if (!parts.ok) return parts
  return accept({ trust, ...(name !== null && { server_name: name.value }), ...parts.value })
}

const wrong = (msg: string): Parsed<never> => refuse('backend_tls', msg)

type Given = Readonly<Record<string, unknown>>
type Parts = Omit<BackendTls, 'trust' | 'server_name'>

function parseServerName(value: unknown): Parsed<string> {
  if (typeof value !== 'string' || textFault(value, 253) !== null)
    return wrong('server_name must be a host name of at most 253 characters')
  if (isIP(value) !== 0) return accept(value.toLowerCase())
  const parsed = parseBackendName(value)
  return parsed.ok ? parsed : wrong(`server_name ${parsed.msg}`)
}

function parseAuthority({ pem, ca_name }: Given): Parsed<Parts> {
  if ((pem === undefined) === (ca_name === undefined))
    return wrong('needs either pem or ca_name for trust ca: the certificate of the authority, or its name')
  if (ca_name === undefined) {
    const found = parsePem(pem, MAX_AUTHORITIES)
    return found.ok ? accept({ pem: found.value.map(({ text }) => text).join('') }) : found
  }
  return typeof ca_name === 'string' && AUTHORITY_NAME.test(ca_name)
    ? accept({ ca_name })
    : wrong('ca_name must be 1 to 64 lower-case letters, digits and the characters . _ -, and no path')
}

function parsePinned({ pem, fingerprint }: Given): Parsed<Parts> {
  if (fingerprint !== undefined && (typeof fingerprint !== 'string' || !FINGERPRINT.test(fingerprint)))
    return wrong('fingerprint must be a SHA-256 of 64 hexadecimal digits, with or without colons')
  const wanted = fingerprint?.replaceAll(':', '').toLowerCase()
  if (pem === undefined)
    return wanted === undefined
      ? wrong('needs pem or fingerprint for trust certificate')
      : accept({ fingerprint: wanted })
  const found = parsePem(pem, 1)
  if (!found.ok) return found
  const [{ text, fingerprint: own }] = found.value as [CertificateText]
  return wanted === undefined || wanted === own
    ? accept({ pem: text, fingerprint: own })
    : wrong(`fingerprint is not that of pem, which is ${own}`)
}

function parsePem(pem: unknown, most: number): Parsed<readonly CertificateText[]> {
  if (typeof pem !== 'string') return wrong('pem must be a string')
  if (pem.length > MAX_PEM) return wrong(`pem must be at most ${MAX_PEM} characters`)
  const found = certificatesIn(pem)
  if (!found.ok) return wrong(`pem ${found.msg}`)
  return found.value.length <= most
    ? found
    : wrong(
        most === 1 ? 'pem must hold one certificate for trust certificate' : `pem must hold at most ${most}`,
      )
}
