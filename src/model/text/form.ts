/**
 * What a text must look like, as a description can say it (JSON Schema): for whoever makes one without asking. The parsers
 * beside each form judge; a form may ask for more than they do (one spelling of several), never for less.
 */
export interface TextForm {
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  /** What a text of the pattern must not hold. */
  readonly not?: { readonly pattern: string }
}

/** The form of a grammar that stands here as an expression. */
export const formOf = (grammar: RegExp, more: Omit<TextForm, 'pattern'> = {}): TextForm => ({
  pattern: grammar.source,
  ...more,
})

/** Characters that no text holds (`textFault`), and the marks of templates, which it may not hold either. */
const PLAIN = String.raw`[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]`
const VISIBLE = String.raw`[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`
const TEMPLATE_MARKS = { pattern: String.raw`\{\{|\}\}` }

/** A text of people: `textFault(text, most)` finds nothing in it. */
export const plainText = (most: number): TextForm => ({
  pattern: `^${PLAIN}*$`,
  maxLength: most,
  not: TEMPLATE_MARKS,
})

/** The same, and not blank. */
export const someText = (most: number): TextForm => ({
  pattern: `^${PLAIN}*${VISIBLE}${PLAIN}*$`,
  minLength: 1,
  maxLength: most,
  not: TEMPLATE_MARKS,
})

/** A person's name: the same, without marks that turn the direction of writing (`personNameFault`). */
export const personName = (most: number): TextForm => ({
  ...someText(most),
  not: { pattern: String.raw`\{\{|\}\}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]` },
})

/** A text of one line, in which the marks of templates mean nothing. */
export const oneLine = (most: number): TextForm => ({ pattern: `^${PLAIN}*$`, maxLength: most })

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** The last label of a name: none that reads as a number. */
const TOP = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const NAME = `(?:${LABEL}\\.)+${TOP}`

/** One name, fully qualified, in A-labels. */
export const HOST_NAME: TextForm = { pattern: `^${NAME}$`, minLength: 3, maxLength: 253 }
/** The same, or all names below one. */
export const DOMAIN_NAME: TextForm = { pattern: `^(?:\\*\\.)?${NAME}$`, minLength: 3, maxLength: 253 }

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = `(?:22[0-3]|2[01][0-9]|1[0-9]{2}|[1-9][0-9]?)(?:\\.${OCTET}){3}`

const GROUP = '[0-9A-Fa-f]{1,4}'
/** Global unicast and unique local addresses. */
const FIRST = '(?:[23][0-9A-Fa-f]{3}|[Ff][CcDd][0-9A-Fa-f]{2})'
/** Whole, or with one run of zeroes left out behind the nth group. */
const IPV6 = [
  `${FIRST}(?::${GROUP}){7}`,
  ...[1, 2, 3, 4, 5, 6].map(
    (before) => `${FIRST}(?::${GROUP}){${before - 1}}::(?:${GROUP}(?::${GROUP}){0,${6 - before}})?`,
  ),
].join('|')

/** Link-local, metadata services, Teredo and 6to4. */
const NO_ADDRESS =
  '^(?:169\\.254\\.|100\\.100\\.100\\.200$|168\\.63\\.129\\.16$|192\\.0\\.0\\.192$|2001::|2001:0{1,4}:|2002:|[Ff][Dd]00:0?[Ee][Cc]2:|[Ff][Dd]20:0{0,2}[Cc][Ee]:)'

/** An IPv4 or IPv6 address in its usual spelling. */
export const ADDRESS: TextForm = {
  pattern: `^(?:${IPV4}|${IPV6})$`,
  maxLength: 45,
  not: { pattern: NO_ADDRESS },
}
/** The same, and none of the host itself. */
export const PUBLISHED_ADDRESS: TextForm = {
  ...ADDRESS,
  not: { pattern: NO_ADDRESS.replace('(?:', '(?:127\\.|') },
}

const BACKEND_LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?'
const BACKEND_TOP = '[A-Za-z_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?'

/** An address, or a name that a proxy connects to: single labels and underscores are fine. */
export const BACKEND_HOST: TextForm = {
  pattern: `^(?:${IPV4}|${IPV6}|::1|(?:${BACKEND_LABEL}\\.)*${BACKEND_TOP})$`,
  minLength: 1,
  maxLength: 253,
  not: { pattern: NO_ADDRESS },
}

/** A name that a certificate may be for. */
export const SERVER_NAME: TextForm = {
  pattern: `^(?:${BACKEND_LABEL}\\.)*${BACKEND_TOP}$`,
  minLength: 1,
  maxLength: 253,
}

const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3})'

/** Scheme, host and port: one exact origin. */
export const ORIGIN: TextForm = {
  pattern: `^https?://(?:${LABEL}\\.)*${TOP}(?::${PORT})?$`,
  maxLength: 300,
}

const SEGMENT = '[A-Za-z0-9._~-]+'
const NO_DOTS = { pattern: '/\\.{1,2}(?:[/?]|$)' }
const QUERY = '(?:[A-Za-z0-9._~/?:@!$&()*+,;=-]|%[0-9A-Fa-f]{2})+'

/** A path that is not the root. */
export const landingPath = (most: number): TextForm => ({
  pattern: `^(?:/${SEGMENT})+/?$`,
  maxLength: most,
  not: NO_DOTS,
})
/** A path, and a query behind it where one is wanted. */
export const checkedPath = (most: number): TextForm => ({
  pattern: `^/(?:${SEGMENT}(?:/${SEGMENT})*/?)?(?:\\?${QUERY})?$`,
  maxLength: most,
  not: NO_DOTS,
})

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"

/** One mail address, in the plain form. */
export const MAIL_ADDRESS: TextForm = {
  pattern: `^${ATOM}(?:\\.${ATOM})*@${NAME}$`,
  minLength: 5,
  maxLength: 254,
  not: { pattern: '^[^@]{65}' },
}
