/** Every certificate that is known of, ours and the proxy's: how long it lasts, whom it serves, what comes next. */
import { driftOver } from '../../../model/drift.ts'
import { type Instant, isoTimeOrNull } from '../../../kernel/clock.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'
import type { AcmeReading } from '../acme-store/port.ts'
import type { Deps } from '../deps.ts'
import { type EvaluatedView, managedList } from './list.ts'
import { CERTIFICATE_STATES, type CertificateState, shownWithState } from './shown.ts'
import { type CertificateUser, certificateUsers } from '../users.ts'
import { LIMITS, setSubject } from '../issuing/ledger.ts'
import { certificateRecords } from '../records.ts'
import { presentWire, wireDrift } from '../wire/wire-drift.ts'

/** `missing`: wanted, and not there yet. */
export const LISTED_STATES = ['missing', ...CERTIFICATE_STATES] as const
export type ListedState = (typeof LISTED_STATES)[number]

/** @param asks whether names are asked anew what they are served, as far as there is time */
export async function readCertificates(
  deps: Deps,
  signal: AbortSignal,
  asks: { readonly afresh: boolean } = { afresh: true },
) {
  const { store, certificates, clock } = deps
  const { manager, store: acme_store } = certificates
  const released = await store.intent('released')
  const [ours, reading, wire] = await Promise.all([
    managedList(deps, released, signal),
    acme_store?.read(signal) ?? null,
    wireDrift(deps, signal, asks),
  ])
  const drifts = [ours, wire].flatMap((part) => (part === null ? [] : [part.drift]))
  const usersOf = certificateUsers(released.rows)
  const budgetOf = await budgets(deps)
  const now = clock.now()
  const all = [
    ...(ours?.views ?? []).map((view) => ({
      ...managed(view, usersOf(view.names), now),
      budget: budgetOf(view.names),
    })),
    ...held(reading).map(({ resolver, facts }) => ({
      ...byProxy(facts, { resolver, users: usersOf(facts.names) }, now),
      budget: null,
    })),
  ]
  certificates.index.keep({ certificates: all, detail: ours?.detail ?? null, at: now })
  return {
    manager:
      manager === null
        ? { configured: false, directory: null, detail: null }
        : { configured: true, directory: manager.directory, detail: ours?.detail ?? null },
    drift: drifts.length === 0 ? null : driftOver(drifts),
    differences: [...(ours?.differences ?? []), ...(wire?.differences ?? [])],
    wire: presentWire(wire, certificates.tls_address),
    store:
      reading === null
        ? { configured: false, fresh: null, detail: null }
        : { configured: true, fresh: reading.state === 'good', detail: reading.detail },
    counts: countsOf(all.map(({ state }) => state)),
    certificates: all,
  }
}

/** How many of the certificates that we risk for a name set are left; null where no authority is set. */
async function budgets({ store, certificates, clock }: Deps) {
  if (certificates.manager === null) return () => null
  const { most, within_ms } = LIMITS.issued
  const { directory } = certificates.manager
  const since = clock.now() - within_ms
  const issued = await store.of(certificateRecords).issuedSince({ directory, since })
  return (names: readonly string[]): Budget => ({
    issued: issued.get(setSubject(names)) ?? 0,
    most,
    within_days: within_ms / DAY_MS,
  })
}

type Budget = { readonly issued: number; readonly most: number; readonly within_days: number } | null

const DAY_MS = 24 * 3_600_000

const held = (reading: AcmeReading | null) =>
  (reading?.content?.resolvers ?? []).flatMap(({ name: resolver, certificates }) =>
    certificates.map((facts) => ({ resolver, facts })),
  )

const managed = (view: EvaluatedView, domains: readonly CertificateUser[], now: Instant) => ({
  source: 'manager' as const,
  name: view.name,
  names: view.names,
  state: view.installed === null ? ('missing' as const) : shownWithState(view.installed, now).state,
  drift: view.drift,
  cause: view.cause,
  certificate: view.installed && shownWithState(view.installed, now),
  domains,
  wanted: view.wanted,
  in_use: view.in_use,
  directory: view.directory,
  resolver: null,
  order_step: view.order_step,
  next_attempt_at: isoTimeOrNull(view.next_attempt_at),
  last_error: view.last_error,
})

/** The proxy tells nobody what it will do and what went wrong: what can be told is what has come of it. */
function byProxy(
  facts: CertificateFacts,
  { resolver, users }: { readonly resolver: string; readonly users: readonly CertificateUser[] },
  now: Instant,
) {
  const shown = shownWithState(facts, now)
  const forgotten = shown.state === 'expired' && users.length > 0
  return {
    source: 'proxy' as const,
    name: facts.names[0] ?? '',
    names: facts.names,
    state: shown.state,
    drift: null,
    cause: null,
    certificate: shown,
    domains: users,
    wanted: users.length > 0,
    in_use: null,
    directory: null,
    resolver,
    order_step: null,
    next_attempt_at: null,
    last_error: forgotten
      ? `The proxy did not renew it. Its log has the reason; resolver ${resolver}.`
      : null,
  }
}

function countsOf(states: readonly ListedState[]): Readonly<Record<ListedState, number>> {
  const counts: Record<ListedState, number> = {
    missing: 0,
    ...(Object.fromEntries(CERTIFICATE_STATES.map((state) => [state, 0])) as Record<
      CertificateState,
      number
    >),
  }
  for (const state of states) counts[state]++
  return counts
}

export type CertificatesAnswer = Awaited<ReturnType<typeof readCertificates>>
