/** What the proxy's own certificate store holds, and for whom. Only read. */
import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import type { AcmeContent, AcmeFile, AcmeReading } from '../acme-store/port.ts'
import type { Deps } from '../deps.ts'
import { available } from '../wire/expected.ts'
import { CERTIFICATE_STATES, type CertificateState, shownWithState } from './shown.ts'
import { certificateUsers } from '../users.ts'

/** The word of the specification for a store that the proxy is writing right now. */
const BUSY = 'acme_store_temporarily_unreadable'
const REFUSED = 'acme_store_refused'

export async function readAcmeStatus({ store, certificates, clock }: Deps, signal: AbortSignal) {
  const reading = certificates.store === null ? NOT_SET : await certificates.store.read(signal)
  const now = clock.now()
  const usersOf = certificateUsers((await store.intent('released')).rows)
  const resolvers = reading.content?.resolvers ?? []
  const { cert_resolver: name } = certificates
  const held = resolvers.flatMap(({ name: resolver, certificates: all }) =>
    all.map((facts) => {
      const domains = usersOf(facts.names)
      return { resolver, ...shownWithState(facts, now), domains, unused: domains.length === 0 }
    }),
  )
  return {
    configured: certificates.store !== null,
    acme_storage_present: presence(reading),
    error: errorOf(reading),
    detail: reading.detail,
    resolvers: resolvers.map(({ name, registration, certificates: all, undecodable }) => ({
      name,
      registration,
      cert_count: all.length,
      undecodable,
    })),
    cert_resolver: name === null ? null : { name, known: isKnown(available(reading), name) },
    cert_count: held.length,
    counts: countsOf(held.map(({ state }) => state)),
    unused_count: held.filter(({ unused }) => unused).length,
    certificates: held,
    file: reading.file && shownFile(reading.file),
    /** When what is told here was read. */
    read_at: isoTimeOrNull(reading.content_at),
    fresh: reading.state === 'good',
  }
}

const NOT_SET: AcmeReading = {
  state: 'absent',
  detail: 'No store is set (PLUMBLINE_ACME_STORE).',
  content: null,
  content_at: null,
  file: null,
}

const isKnown = (content: AcmeContent | null, name: string): boolean | null =>
  content && content.resolvers.some((resolver) => resolver.name === name)

/** Null where something is in the way of seeing it. */
const presence = ({ state, file }: AcmeReading): boolean | null =>
  state === 'refused' && file === null ? null : state !== 'absent'

function errorOf({ state }: AcmeReading): typeof BUSY | typeof REFUSED | null {
  if (state === 'busy') return BUSY
  return state === 'refused' ? REFUSED : null
}

function countsOf(states: readonly CertificateState[]): Readonly<Record<CertificateState, number>> {
  const counts = Object.fromEntries(CERTIFICATE_STATES.map((state) => [state, 0])) as Record<
    CertificateState,
    number
  >
  for (const state of states) counts[state]++
  return counts
}

const shownFile = ({ path, size, modified_at, mode, owner }: AcmeFile) => ({
  path,
  size,
  mtime: isoTime(modified_at),
  mode,
  owner,
})
