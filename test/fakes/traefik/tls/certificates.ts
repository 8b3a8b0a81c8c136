/** Certificates by server name: those of the providers, those of the resolvers, and one for whoever has none. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Configuration } from '../decode/decode.ts'
import { defaultCertificate, type KeyPair } from './default-certificate.ts'

export interface Certificates {
  /** Of this name, or the default one; null where strictness about names forbids that. */
  contextFor(server_name: string): SecureContext | null
}

interface Listed {
  readonly certFile?: string
  readonly keyFile?: string
}

/** What is no certificate is one line in the log, and not there. */
export function certificatesOf(
  providers: readonly Configuration[],
  acme_file: string | null,
  log: (line: string) => void,
): Certificates {
  const by_name = new Map<string, SecureContext>()
  const listed = providers.flatMap(({ tls }) => (tls?.['certificates'] ?? []) as readonly Listed[])
  const pairs = [...listed.map(pairOf), ...resolved(acme_file)]
  for (const pair of pairs) {
    const context = contextOf(pair, log)
    if (context === null) continue
    for (const name of namesOf(pair.cert)) if (!by_name.has(name)) by_name.set(name, context)
  }
  const own = ownDefault(providers)
  const options = providers.map(({ tls }) => (tls?.['options'] as Options | undefined)?.default)
  const is_strict = options.some((one) => one?.sniStrict === true)
  let fallback: SecureContext | null = null
  return {
    contextFor(server_name) {
      const name = server_name.toLowerCase().replace(/[.]$/, '')
      const found = by_name.get(name) ?? by_name.get(name.replace(/^[^.]+/, '*'))
      if (found !== undefined) return found
      if (is_strict) return null
      return (fallback ??=
        (own === null ? null : contextOf(own, log)) ?? createSecureContext(defaultCertificate()))
    },
  }
}

interface Options {
  readonly default?: { readonly sniStrict?: boolean }
}

const pairOf = ({ certFile = '', keyFile = '' }: Listed): KeyPair => ({ cert: certFile, key: keyFile })

function contextOf(pair: KeyPair, log: (line: string) => void): SecureContext | null {
  try {
    return createSecureContext(pair)
  } catch {
    const what = /BEGIN [A-Z ]*CERTIFICATE/.test(pair.cert)
      ? 'private key does not match'
      : 'failed to find any PEM data'
    log(`Unable to append certificate to store: tls: ${what} in certificate input`)
    return null
  }
}

function namesOf(pem: string): readonly string[] {
  const { subjectAltName = '', subject } = new X509Certificate(pem)
  const names = subjectAltName.split(', ').flatMap((one) => (one.startsWith('DNS:') ? [one.slice(4)] : []))
  const [, common] = /^CN=(.*)$/m.exec(subject) ?? []
  return [...names, ...(common === undefined ? [] : [common])].map((name) => name.toLowerCase())
}

function ownDefault(providers: readonly Configuration[]): KeyPair | null {
  for (const { tls } of providers) {
    const stores = tls?.['stores'] as
      | { readonly default?: { readonly defaultCertificate?: Listed } }
      | undefined
    const found = stores?.default?.defaultCertificate
    if (found !== undefined) return pairOf(found)
  }
  return null
}

interface Resolver {
  readonly Certificates?: readonly { readonly certificate: string; readonly key: string }[] | null
}

/** A new file has 0 bytes until the first certificate. */
function resolved(acme_file: string | null): readonly KeyPair[] {
  if (acme_file === null) return []
  let text: string
  try {
    text = readFileSync(acme_file, 'utf8')
  } catch {
    return []
  }
  if (text.trim() === '') return []
  const decoded = (base64: string) => Buffer.from(base64, 'base64').toString()
  return Object.values(JSON.parse(text) as Record<string, Resolver>).flatMap(({ Certificates }) =>
    (Certificates ?? []).map(({ certificate, key }) => ({ cert: decoded(certificate), key: decoded(key) })),
  )
}
