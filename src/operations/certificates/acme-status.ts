/** What the proxy's own certificate store holds, and for whom. Only read. */
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { type CertificateFacts, covers } from '../../model/certificate.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { AcmeReading } from '../../ports/acme-store.ts'
import type { Deps } from '../deps.ts'

export const CERTIFICATE_STATES = ['expired', 'under_14_days', 'under_30_days', 'healthy'] as const
export type CertificateState = (typeof CERTIFICATE_STATES)[number]

const DAY_MS: Milliseconds = 24 * 3_600_000

/** Of a certificate that ends then. */
export function stateOf({ not_after }: CertificateFacts, now: number): CertificateState {
  const left = not_after - now
  if (left <= 0) return 'expired'
  if (left < 14 * DAY_MS) return 'under_14_days'
  return left < 30 * DAY_MS ? 'under_30_days' : 'healthy'
}

/** The word of the specification for a store that the proxy is writing right now. */
const BUSY = 'acme_store_temporarily_unreadable'
const REFUSED = 'acme_store_refused'

export async function readAcmeStatus({ store, certificates, clock }: Deps, signal: AbortSignal) {
  const reading = certificates.store === null ? NOT_SET : await certificates.store.read(signal)
  const now = clock.now()
  const live = (await store.intent('released')).rows.filter((row) => row.live)
  const resolvers = reading.content?.resolvers ?? []
  const held = resolvers.flatMap(({ name, certificates: all }) =>
    all.map((facts) => ({ resolver: name, facts })),
  )
  const states = held.map(({ facts }) => stateOf(facts, now))
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
    cert_count: held.length,
    counts: Object.fromEntries(
      CERTIFICATE_STATES.map((state) => [state, states.filter((other) => other === state).length]),
    ) as Record<CertificateState, number>,
    certificates: held.map(({ resolver, facts }) => ({
      resolver,
      ...shown(facts),
      state: stateOf(facts, now),
      domains: usersOf(facts, live),
    })),
    file: reading.file && {
      path: reading.file.path,
      size: reading.file.size,
      mtime: isoTime(reading.file.modified_at),
      mode: reading.file.mode,
      owner: reading.file.owner,
    },
    /** When what is told here was read. */
    read_at: reading.content_at === null ? null : isoTime(reading.content_at),
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

/** Null where something is in the way of seeing it. */
const presence = ({ state, file }: AcmeReading): boolean | null =>
  state === 'refused' && file === null ? null : state !== 'absent'

function errorOf({ state }: AcmeReading): typeof BUSY | typeof REFUSED | null {
  if (state === 'busy') return BUSY
  return state === 'refused' ? REFUSED : null
}

export const shown = ({
  names,
  not_before,
  not_after,
  issuer,
  serial,
  key_type,
  fingerprint,
}: CertificateFacts) => ({
  names,
  not_before: isoTime(not_before),
  not_after: isoTime(not_after),
  issuer,
  serial,
  key_type,
  fingerprint,
})

const usersOf = ({ names }: CertificateFacts, rows: readonly IntentRow[]) =>
  rows
    .filter(({ fields }) => covers(names, fields.domain))
    .map(({ domain_id, fields }) => ({ domain_id, domain: fields.domain }))
