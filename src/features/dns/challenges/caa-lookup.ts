/** Climbs from a name towards the root until there are CAA records, and rules on the first that are found (RFC 8659 §3). */
import { askResolvers } from '../integrity/ask-resolvers.ts'
import type { DnsLookup, DnsServer } from '../lookup/port.ts'
import type { CaaCheck, CaaQuestion, CaaResult } from './caa-port.ts'

export interface CaaLookupParts {
  readonly lookup: DnsLookup
  /** Asked anew each time. */
  readonly resolvers: () => Promise<readonly DnsServer[]>
}

/**
 * Resolvers are asked, as the authority asks its own: aliases lead where they lead, and what they keep may be a TTL old. So
 * this is a foresight, and the authority's word is what counts.
 */
export class CaaLookup implements CaaCheck {
  readonly #parts: CaaLookupParts

  constructor(parts: CaaLookupParts) {
    this.#parts = parts
  }

  async evaluate({ name, ...applicant }: CaaQuestion, signal: AbortSignal): Promise<CaaResult> {
    const resolvers = await this.#parts.resolvers()
    const is_wildcard = name.startsWith('*.')
    for (const at of climbing(is_wildcard ? name.slice(2) : name)) {
      const question = { name: at, type: 'CAA' as const, signal }
      const reply = await askResolvers(this.#parts.lookup, resolvers, question)
      if (reply === null) return { allowed: null, detail: `no resolver answers for the CAA records of ${at}` }
      const values = reply.answers.flatMap(({ type, value }) => (type === 'CAA' ? [value] : []))
      if (values.length > 0)
        return resultOf(at, ruleOnCaa(values.map(propertyIn), { ...applicant, is_wildcard }))
    }
    return { allowed: true, detail: null }
  }
}

/** The name and all above it but the root. */
function* climbing(name: string): Generator<string> {
  for (let at = name; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '') yield at
}

function propertyIn(value: string): CaaProperty {
  const [flags = '', tag = '', ...rest] = value.split(' ')
  return { is_critical: (Number(flags) & 128) !== 0, tag: tag.toLowerCase(), value: rest.join(' ') }
}

function resultOf(at: string, ruling: CaaRuling): CaaResult {
  if (ruling.kind === 'allowed') return { allowed: true, detail: null }
  const said = `by the CAA records of ${at}, ${ruling.why}`
  return ruling.kind === 'unclear'
    ? { allowed: null, detail: said }
    : { allowed: false, detail: `${said}. Add one for the authority there` }
}

// What CAA records allow (RFC 8659 §4, RFC 8657 §3, §4). Pure.

/** One record: `128 issue "ca.example; accounturi=…"`. */
export interface CaaProperty {
  readonly is_critical: boolean
  /** Lower case. */
  readonly tag: string
  readonly value: string
}

export interface CaaApplicant {
  /** The domain names of the authority, lower case; empty where they are not known. */
  readonly identities: readonly string[]
  /** Null while it is not known. */
  readonly account_url: string | null
  readonly is_wildcard: boolean
}

/** `refused` and `unclear` carry the end of a sentence. */
type CaaRuling = { readonly kind: 'allowed' } | { readonly kind: 'refused' | 'unclear'; readonly why: string }

/** Registered at IANA and without a say in this. */
const WITHOUT_SAY = ['iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc']
const METHOD = 'dns-01'

/** @param properties the records at one name; with none of them, everything is allowed */
export function ruleOnCaa(properties: readonly CaaProperty[], applicant: CaaApplicant): CaaRuling {
  const strange = properties.find(({ is_critical, tag }) => is_critical && !isKnown(tag))
  if (strange !== undefined)
    return { kind: 'refused', why: `the property ${strange.tag} is critical and unknown` }
  const issue = properties.filter(({ tag }) => tag === 'issue')
  const wild = properties.filter(({ tag }) => tag === 'issuewild')
  const decisive = applicant.is_wildcard && wild.length > 0 ? wild : issue
  if (decisive.length === 0) return { kind: 'allowed' }
  const rulings = decisive.map(({ value }) => ruleOnValue(value, applicant))
  const best =
    rulings.find(({ kind }) => kind === 'allowed') ?? rulings.find(({ kind }) => kind === 'unclear')
  if (best !== undefined) return best
  const whys = new Set(rulings.map((ruling) => ('why' in ruling ? ruling.why : '')))
  // Beside a name, a value that names nobody says nothing.
  if (whys.size > 1) whys.delete(NOBODY)
  return { kind: 'refused', why: [...whys].join('; ') }
}

const isKnown = (tag: string): boolean => tag === 'issue' || tag === 'issuewild' || WITHOUT_SAY.includes(tag)

const NOBODY = 'no authority may issue'
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const ISSUER = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
const PARAMETER = /^([a-z0-9-]+)[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]*)$/i

/** A value that does not follow the grammar names nobody (§4.2). */
function ruleOnValue(value: string, { identities, account_url }: CaaApplicant): CaaRuling {
  const [issuer = '', ...rest] = value.split(';').map((part) => part.trim())
  const name = issuer.toLowerCase()
  if (name === '') return { kind: 'refused', why: NOBODY }
  const parameters = rest.filter((part) => part !== '').map((part) => PARAMETER.exec(part))
  if (!ISSUER.test(name) || parameters.includes(null))
    return { kind: 'refused', why: `${JSON.stringify(value)} is malformed` }
  if (identities.length === 0)
    return { kind: 'unclear', why: `${name} may issue, and by which name this authority goes is not known` }
  if (!identities.includes(name)) return { kind: 'refused', why: `${name} may issue` }
  const valuesOf = (wanted: string) =>
    parameters.flatMap((part) => (part?.[1]?.toLowerCase() === wanted ? [part[2] ?? ''] : []))
  const [methods, uris] = [valuesOf('validationmethods'), valuesOf('accounturi')]
  if (methods.length > 0 && !(methods.length === 1 && methods[0]!.toLowerCase().split(',').includes(METHOD)))
    return { kind: 'refused', why: `${name} may issue, and not by ${METHOD}` }
  return ruleOnAccount(name, uris, account_url)
}

/** More than one account is none (RFC 8657 §3). */
function ruleOnAccount(name: string, uris: readonly string[], account_url: string | null): CaaRuling {
  if (uris.length === 0) return { kind: 'allowed' }
  if (uris.length === 1 && account_url === null)
    return { kind: 'unclear', why: `${name} may issue to ${uris[0]}, and our account is not known yet` }
  return uris.length === 1 && uris[0] === account_url
    ? { kind: 'allowed' }
    : { kind: 'refused', why: `${name} may issue to another account (${uris.join(', ')})` }
}
