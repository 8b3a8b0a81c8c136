/**
 * Mail addresses as they may stand in a header and in an SMTP command. Of RFC 5321 §4.1.2 only the plain form is taken:
 * no quoted local part, no address literal, no comment, nothing outside ASCII before the "@". What is left cannot be
 * read as two addresses by anybody.
 */
import { parseDomainName } from '../domain/hostname.ts'
import { accept, type Parsed, refuse } from '../text/result.ts'
import { textFault } from '../text/text.ts'

const LONGEST = 254
const MAX_LOCAL = 64
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/

/** `Jo@Bücher.example` becomes `Jo@xn--bcher-kva.example`. The local part keeps its case. Linear in the length. */
export function parseMailAddress(text: string): Parsed<string> {
  const fault = 'must be one mail address such as jo@example.com'
  if (text.length > LONGEST) return refuse('mail_address', `must be at most ${LONGEST} characters`)
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || local.length > MAX_LOCAL) return refuse('mail_address', fault)
  if (!local.split('.').every((atom) => ATOM.test(atom))) return refuse('mail_address', fault)
  const domain = parseDomainName(text.slice(at + 1))
  if (!domain.ok || domain.value.startsWith('*.')) return refuse('mail_address', fault)
  const address = `${local}@${domain.value}`
  return address.length > LONGEST
    ? refuse('mail_address', `must be at most ${LONGEST} characters`)
    : accept(address)
}

/** What two spellings of one mailbox have in common, as far as anybody can tell: case counts nowhere in practice. */
export const mailboxKey = (address: string): string => address.toLowerCase()

export const mailDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

export const MAX_NAME = 100

/** Of the Unicode bidirectional algorithm (UAX #9): with one of them a name reads as another in a list and in a mail. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Why a text cannot be a person's name, as the end of a sentence, or null. */
export function personNameFault(text: string): string | null {
  if (text.trim() === '') return 'must not be blank'
  return TURNS.test(text)
    ? 'must not hold marks that turn the direction of writing'
    : textFault(text, MAX_NAME)
}

export const GROUP = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const MAX_GROUPS = 32

/** Names that a rule may speak of (`group:admins`), each once. */
export function parseGroups(names: readonly string[]): Parsed<readonly string[]> {
  if (names.length > MAX_GROUPS) return refuse('groups', `must be at most ${MAX_GROUPS} groups`)
  const wrong = names.find((name) => !GROUP.test(name))
  return wrong === undefined
    ? accept([...new Set(names)].sort())
    : refuse('groups', 'must hold names of letters, digits, ".", "_" and "-", each up to 64 characters')
}
