/** What could be served for each domain: what the proxy's store holds, what our manager has installed, and who would obtain one. */
import { covers, wildcardOf } from '../../../model/network/certificate.ts'
import type { AcmeContent, AcmeReading, HeldCertificate } from '../acme-store/port.ts'
import type { ManagedView } from '../view.ts'
import type { Expected } from '../fault.ts'

export interface Sources<View extends ManagedView = ManagedView> {
  /** Null where no store is set. */
  readonly reading: AcmeReading | null
  /** Null where no authority is set, or its certificates could not be read. */
  readonly views: readonly View[] | null
  /** The resolver that routes name for public names; null where they name none. */
  readonly cert_resolver: string | null
}

export interface AskedDomain {
  readonly domain: string
  /** Served internally only: no resolver of the proxy obtains its certificate. */
  readonly internal: boolean
}

/** Of the store all that cover the domain, the one that ends last first. */
export interface ExpectedOf<View extends ManagedView = ManagedView> extends Expected {
  readonly stored: readonly HeldCertificate[]
  readonly manager: View | null
}

export function expectations<View extends ManagedView>({
  reading,
  views,
  cert_resolver,
}: Sources<View>): (asked: AskedDomain) => ExpectedOf<View> {
  const content = available(reading)
  const storedFor = storedByDomain(content)
  const wanted = views?.filter((view) => view.wanted) ?? []
  const no_resolver = absentResolver(content, cert_resolver)
  return ({ domain, internal }) => {
    const stored = storedFor(domain)
    const manager = wanted.find((view) => covers(view.names, domain)) ?? null
    const is_theirs = manager === null && !internal && stored.length === 0
    return { stored, held: stored[0] ?? null, manager, no_resolver: is_theirs ? no_resolver : null }
  }
}

/** The one that ends last first. By a table: there may be ten thousand of each. */
function storedByDomain(content: AcmeContent | null): (domain: string) => readonly HeldCertificate[] {
  const by_name = new Map<string, HeldCertificate[]>()
  for (const certificate of content?.resolvers.flatMap(({ certificates }) => certificates) ?? [])
    for (const name of new Set(certificate.names)) {
      const listed = by_name.get(name)
      if (listed === undefined) by_name.set(name, [certificate])
      else listed.push(certificate)
    }
  return (domain) => {
    const names = domain.startsWith('*.') ? [domain] : [domain, wildcardOf(domain)]
    const stored = new Set(names.flatMap((name) => by_name.get(name) ?? []))
    return [...stored].sort((a, b) => b.not_after - a.not_after)
  }
}

/**
 * What the store is known to hold: while the proxy rewrites it, what it held. Null where it is unavailable: not set, gone,
 * refused, or never yet read whole.
 */
export const available = (reading: AcmeReading | null): AcmeContent | null =>
  reading !== null && (reading.state === 'good' || reading.state === 'busy') ? reading.content : null

/** A resolver is in the store from its first order on; routes that name one which the proxy lacks are told nothing. */
function absentResolver(content: AcmeContent | null, cert_resolver: string | null): string | null {
  if (content === null || cert_resolver === null) return null
  const known = content.resolvers.map(({ name }) => name)
  if (known.includes(cert_resolver)) return null
  const others = known.length === 0 ? 'none at all' : known.slice(0, MAX_NAMED).join(', ')
  return (
    `The store of the proxy knows no resolver ${cert_resolver} (it has ${others}). Unless its first order is under way, the ` +
    'proxy lacks it: see PLUMBLINE_CERT_RESOLVER and certificatesResolvers of the proxy.'
  )
}

const MAX_NAMED = 5
