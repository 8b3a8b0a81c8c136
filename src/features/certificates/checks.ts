/** Certificates by what is held of them, and the proxy's own store. No authority is asked. */
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { KeptWords } from '../../core/finding.ts'
import type { HealthDifference } from '../../model/health.ts'
import { readAcmeStatus } from './managed/acme-status.ts'
import { type CertificatesAnswer, readCertificates } from './managed/read-certificates.ts'
import type { Deps } from './deps.ts'
import {
  countsOf,
  FILES_EVERY_MS,
  type HealthCheck,
  healthy,
  impaired,
  type LookedAt,
  named,
  reportedApart,
  unknown,
} from '../../core/check.ts'

const EVERY_MS: Milliseconds = 60_000

export const certificatesCheck = (deps: Deps): HealthCheck => ({
  name: 'certificates',
  kind: 'watch',
  configured: [deps.certificates.manager, deps.certificates.store, deps.certificates.wire].some(
    (one) => one !== null,
  ),
  every_ms: EVERY_MS,
  look: async ({ signal, afresh }) => evaluateCertificates(await readCertificates(deps, signal, { afresh })),
  // By the time of each, and by the key of each that we keep.
  advises: reportedApart('"plumbline certificates" shows what is in the way of each, and what helps.'),
})

/** What was refused to it is tried again by itself: no hash lets it through, and nobody has to put anything back. */
export const REFUSED_WORDS: KeptWords = {
  refused: {
    kind: 'repair_refused',
    severity: 'warning',
    alert_after_ms: 0,
    remedy:
      'Mend what the message names. It is tried again by itself; "plumbline certificates reconcile --retry" tries now.',
  },
}

/** Most urgent first. `failing`: it is to be obtained or renewed, and the last try went wrong. */
const CAUSES = ['expired', 'failing'] as const

type Answer = Pick<CertificatesAnswer, 'certificates' | 'counts'> & {
  readonly manager: Pick<CertificatesAnswer['manager'], 'detail'>
}

/**
 * Pure. Those that nobody uses may end. What drifts is told by its own key, with its own cause, and brought to this table on
 * the page (`withCertificates`); here it counts only once it has ended.
 */
export function evaluateCertificates({ certificates, counts, manager }: Answer): LookedAt {
  if (manager.detail !== null) return unknown('unreadable', manager.detail)
  const wanted = certificates.filter((one) => one.wanted)
  const differences = wanted.flatMap((one) => differenceOf(one) ?? [])
  const ends = wanted.flatMap(({ certificate }) => certificate?.not_after ?? []).toSorted()
  const due = wanted.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).toSorted()
  const details = { counts, next_due_at: due[0] ?? null, next_end_at: ends[0] ?? null }
  if (differences.length === 0)
    return healthy(
      ends[0] === undefined ? 'None is needed by now.' : `The first of ${wanted.length} ends at ${ends[0]}.`,
      { details },
    )
  const causes = countsOf(differences)
  const cause = CAUSES.find((one) => causes[one] !== undefined)!
  const message = `${named(differences.map(({ item, cause: why }) => `${item} (${why})`))} need a look.`
  return impaired(cause, message, { details, differences, causes })
}

function differenceOf(one: Answer['certificates'][number]): HealthDifference | null {
  const cause =
    one.state === 'expired' ? 'expired' : one.drift === true || one.last_error === null ? null : 'failing'
  const domains = one.domains.map(({ domain }) => domain)
  return cause === null ? null : { item: one.name, cause, domains, detail: one.last_error ?? 'It has ended.' }
}

/** The store may be cut for as long as the proxy rewrites it; what it held then says enough, but not for ever. */
export const OLDEST_CONTENT_MS: Milliseconds = 10 * 60_000

export const acmeCheck = (deps: Deps): HealthCheck => ({
  name: 'acme',
  kind: 'dependency',
  configured: deps.certificates.store !== null,
  // One stat where nothing has changed.
  every_ms: FILES_EVERY_MS,
  look: async ({ signal }) =>
    evaluateAcme(await readAcmeStatus(deps, signal), isoTime(deps.clock.now() - OLDEST_CONTENT_MS)),
})

type AcmeStatus = Pick<
  Awaited<ReturnType<typeof readAcmeStatus>>,
  'acme_storage_present' | 'error' | 'detail' | 'read_at' | 'cert_count' | 'resolvers' | 'cert_resolver'
>

/** Pure. @param fresh_since RFC 3339: content from before then says nothing any more */
export function evaluateAcme(status: AcmeStatus, fresh_since: string): LookedAt {
  const { acme_storage_present, error, detail, read_at, cert_count, resolvers, cert_resolver } = status
  const undecodable = resolvers.reduce((sum, one) => sum + one.undecodable, 0)
  const details = { cert_count, undecodable, resolvers: resolvers.map(({ name }) => name), read_at }
  if (error !== null && (error === 'acme_store_refused' || read_at === null || read_at < fresh_since))
    return unknown('unreadable', detail ?? 'It cannot be read.', { details })
  if (acme_storage_present === null) return unknown('unreadable', detail ?? 'It cannot be seen.', { details })
  if (!acme_storage_present) return impaired('absent', detail ?? 'There is no store.', { details })
  const message = cert_count === 1 ? 'It holds 1 certificate.' : `It holds ${cert_count} certificates.`
  // Before its first order no resolver is there; what it does not obtain is told by what is served.
  const more = cert_resolver?.known === false ? ` It knows no resolver ${cert_resolver.name} yet.` : ''
  return healthy(`${message}${more}`, { details })
}
