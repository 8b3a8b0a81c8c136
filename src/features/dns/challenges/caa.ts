/** What CAA records allow (RFC 8659 §4, RFC 8657 §3, §4). Pure. */

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
export type CaaRuling =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused' | 'unclear'; readonly why: string }

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
