/**
 * Host names in the one form that is stored: lower case, A-labels, no trailing dot (RFC 5890, RFC 1123 §2.1).
 *
 * A name ends up inside a Traefik rule, a DNS zone and an SSO rule, so the grammar is strict and the parser refuses
 * rather than repairs.
 */
import { domainToASCII, domainToUnicode } from 'node:url'
import { accept, type Parsed, refuse } from '../text/result.ts'
import { textFault } from '../text/text.ts'

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const BACKEND_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
// What may be handed to the IDNA mapping at all: LDH, dots and anything outside ASCII.
const ASCII_OUTSIDE_LDH = /[\u0000-\u002c\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]/ // eslint-disable-line no-control-regex
// A last label that a URL parser would read as part of an IPv4 address ("127.1", "0x7f.1", "2130706433").
const NUMERIC = /^(?:[0-9]+|0x[0-9a-f]*)$/

/** By which clouds call the services that hand credentials to whoever can make a proxy ask for them. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
])

/** Lower-case A-label form without a trailing dot, or null when the name has none. Does not judge the labels. */
function toAscii(name: string): string | null {
  const trimmed = name.endsWith('.') ? name.slice(0, -1) : name
  if (ASCII_OUTSIDE_LDH.test(trimmed)) return null
  const ascii = domainToASCII(trimmed)
  return ascii === '' ? null : ascii.toLowerCase()
}

/**
 * A fully qualified domain name, one leading `*.` allowed: "Bücher.Example" becomes "xn--bcher-kva.example".
 * At most 253 characters, labels at most 63, at least two labels besides the star, last label not numeric.
 */
export function parseDomainName(text: string): Parsed<string> {
  const fault = textFault(text, 1024)
  if (fault !== null) return refuse('domain_name', fault)
  const wildcard = text.startsWith('*.')
  const ascii = toAscii(wildcard ? text.slice(2) : text)
  if (ascii === null) return refuse('domain_name', 'must be a host name: letters, digits, hyphens and dots')
  const labels = ascii.split('.')
  if (labels.length < 2) return refuse('domain_name', 'must be fully qualified, such as app.example.com')
  if (!labels.every((label) => LABEL.test(label)))
    return refuse('domain_name', 'must have labels of 1 to 63 letters, digits and inner hyphens')
  if (NUMERIC.test(labels.at(-1)!)) return refuse('domain_name', 'must be a name, not an address')
  const name = wildcard ? `*.${ascii}` : ascii
  return name.length > 253 ? refuse('domain_name', 'must be at most 253 characters') : accept(name)
}

/** A name that a proxy connects to: single labels and underscores (container names) are fine, numbers are not. */
export function parseBackendName(text: string): Parsed<string> {
  const lower = text.toLowerCase()
  const trimmed = lower.endsWith('.') ? lower.slice(0, -1) : lower
  const labels = trimmed.split('.')
  if (trimmed.length > 253 || !labels.every((label) => BACKEND_LABEL.test(label)))
    return refuse('backend_host', 'must be an IP address or a host name')
  if (NUMERIC.test(labels.at(-1)!))
    return refuse('backend_host', 'must be an IP address in its usual form or a host name')
  if (METADATA_NAMES.has(trimmed))
    return refuse('backend_host', 'must not be the name of a metadata service, which hands out credentials')
  return accept(trimmed)
}

/** The name as people read it: "xn--bcher-kva.example" becomes "bücher.example". */
export const unicodeName = (domain: string): string =>
  domain.startsWith('*.') ? `*.${domainToUnicode(domain.slice(2))}` : domainToUnicode(domain)
