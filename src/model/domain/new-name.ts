/**
 * What a name must be beyond its grammar when somebody gives it to a record. A name that is saved already is not asked
 * again: it must not lock its record.
 */
import { domainToUnicode } from 'node:url'
import { getPublicSuffix } from 'tldts'

/** Listed as a public suffix (RFC 8375), and yet the very name of a home network's own zone. */
const HOME = 'home.arpa'

/** Why a record cannot be called so, as the end of a sentence; null where it can. @param domain in its stored form */
export function newNameFault(domain: string): string | null {
  const unread = domain.split('.').find((label) => label.startsWith('xn--') && !isALabel(label))
  if (unread !== undefined)
    return `has the label "${unread}", which stands for no name in Unicode (RFC 5891 §5.4); check how it is spelled`
  if (!isPublicSuffix(domain)) return null
  return `is a public suffix, below which others register their names; use a name below it, such as app.${domain}`
}

/** Node leaves a label as it is that it cannot decode, or whose decoding has another spelling. */
const isALabel = (label: string): boolean => domainToUnicode(label) !== label

/** By the part of the list that ICANN answers for: names of hosters below which customers are put are theirs to serve. */
const isPublicSuffix = (domain: string): boolean =>
  domain !== HOME && getPublicSuffix(domain, { allowPrivateDomains: false }) === domain
