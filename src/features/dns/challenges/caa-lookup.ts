/** Climbs from a name towards the root until there are CAA records, and rules on the first that are found (RFC 8659 §3). */
import { type CaaProperty, type CaaRuling, ruleOnCaa } from './caa.ts'
import type { CaaCheck, CaaQuestion, CaaVerdict } from './caa-port.ts'
import type { DnsLookup, DnsServer } from '../lookup/port.ts'
import { askResolvers } from '../integrity/ask-resolvers.ts'

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

  async verdict({ name, ...applicant }: CaaQuestion, signal: AbortSignal): Promise<CaaVerdict> {
    const resolvers = await this.#parts.resolvers()
    const is_wildcard = name.startsWith('*.')
    for (const at of climbing(is_wildcard ? name.slice(2) : name)) {
      const question = { name: at, type: 'CAA' as const, signal }
      const reply = await askResolvers(this.#parts.lookup, resolvers, question)
      if (reply === null) return { allowed: null, detail: `no resolver answers for the CAA records of ${at}` }
      const values = reply.answers.flatMap(({ type, value }) => (type === 'CAA' ? [value] : []))
      if (values.length > 0)
        return verdictOf(at, ruleOnCaa(values.map(propertyIn), { ...applicant, is_wildcard }))
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

function verdictOf(at: string, ruling: CaaRuling): CaaVerdict {
  if (ruling.kind === 'allowed') return { allowed: true, detail: null }
  const said = `by the CAA records of ${at}, ${ruling.why}`
  return ruling.kind === 'unclear'
    ? { allowed: null, detail: said }
    : { allowed: false, detail: `${said}. Add one for the authority there` }
}
