/** Grammars of what an ACME authority is told: its directory, a contact, an external account. */
import { Secret } from '../../kernel/secret.ts'
import { parseHost } from '../../config/kinds/network.ts'
import { textual, Wrong, wrong } from '../../config/kinds/refine.ts'

/** Directories by the names that people call them. */
const KNOWN_DIRECTORIES: Readonly<Record<string, string>> = {
  letsencrypt: 'https://acme-v02.api.letsencrypt.org/directory',
  'letsencrypt-staging': 'https://acme-staging-v02.api.letsencrypt.org/directory',
  zerossl: 'https://acme.zerossl.com/v2/DV90',
}

const names = Object.keys(KNOWN_DIRECTORIES).join(', ')

/** A known name, or a URL. ACME is spoken over TLS alone (RFC 8555 §6.1). */
export const acmeDirectory = textual((text) => {
  const known = KNOWN_DIRECTORIES[text.toLowerCase()]
  if (known !== undefined) return known
  const form = wrong(`must be ${names}, or the https URL of a directory`)
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return form
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return wrong('must not hold a user name or password')
  return url.hash === '' ? url.href : wrong('must not have a fragment')
})

/** One plain address: it becomes a `mailto:` URL, so nothing that such a URL reads as more than an address. */
export const emailAddress = textual((text) =>
  /^[a-z0-9.!#$'*+/=^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text)
    ? text
    : wrong('must be one e-mail address'),
)

/** Unpadded base64url; padding and the plain alphabet, which some authorities print, are taken too. */
export const externalAccountKey = textual((text) => {
  const plain = text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return /^[\w-]{16,1024}$/.test(plain) ? new Secret(plain) : wrong('must be a key in base64url')
})

/** `letsencrypt.org` */
export function caaIdentity(text: string): string | Wrong {
  const name = parseHost(text)
  return name instanceof Wrong || !name.includes('.') ? wrong('is not a domain name') : name
}
