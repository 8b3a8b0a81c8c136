/**
 * The proof that protected routes are closed, as something that is kept true: whoever has not signed in gets nothing.
 *
 * Everything else is a promise of files. This asks. What is wrong is told as a critical condition of the domain; with the
 * quarantine set, the route is taken out, which is the one change there is here. A proxy that does not answer is unknown.
 *
 * A route in quarantine is asked on: where it still gives content, somebody else's router takes its host, and that is told,
 * because nothing here can close it.
 */
import type { Codec, Difference, Observation, Obstacle, Target } from '../../../engine/target.ts'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { named } from '../../../core/check.ts'
import type { Intent } from '../../../model/intent.ts'
import { quarantinedIds, type Quarantined, ssoRecords } from '../records.ts'
import type { Store } from '../../../ports/store.ts'
import type { AuditEntry } from '../../../ports/records/trails.ts'
import type { ProvenRoute } from './provable.ts'
import type { Proof } from '../service.ts'
import type { Rounds } from './rounds.ts'

type Desired = readonly ProvenRoute[]

export interface ProofsObserved {
  readonly proofs: ReadonlyMap<string, Proof>
  /** Records in quarantine. */
  readonly out: ReadonlySet<number>
}
type Observed = ProofsObserved

export interface ProofParts {
  readonly rounds: Rounds
  /** Where the proxy is asked, for people. */
  readonly place: string
  /** Pure. Protected routes of an edition that can be asked for. */
  readonly routesOf: (intent: Intent) => readonly ProvenRoute[]
  readonly store: Pick<Store, 'write' | 'intent' | 'of'>
  readonly clock: Clock
  readonly quarantine: boolean
  /** A route is to be taken out. Never throws. */
  readonly takenOut: () => Promise<void>
  /** Names the routers that take the hosts of routes which are out and answer all the same, where that can be seen. Never throws. */
  readonly takers: Takers
  /** Calls `hint` when routes were written. */
  readonly watch: (hint: () => void) => { close(): void }
}

export interface Takers {
  /** Looks who it is. */
  look(routes: readonly ProvenRoute[], signal: AbortSignal): Promise<void>
  /** As it was seen last; empty where it is not known. */
  of(domain: string): readonly string[]
}

export const PROOF_KEY = 'sso-proof'

export function proofTarget(parts: ProofParts): Target<Desired, Observed, ProvenRoute> {
  const { rounds, store, quarantine } = parts
  return {
    name: PROOF_KEY,
    key: PROOF_KEY,
    artifact: PROOF_KEY,
    every_ms: 10_000,
    full_look_every_ms: 60_000,
    deadline_ms: 40_000,
    backoff: { first_ms: 10_000, max_ms: 60_000 },
    whole: false,
    place: parts.place,
    reads: ['domains'],
    desire: parts.routesOf,
    codec,
    glance: () => rounds.glance(),
    observe: (signal, { afresh, is_pass = false } = TIMER) =>
      afresh && !is_pass ? observeNow(parts, signal) : observe(parts, signal),
    diff: (desired, observed) => (quarantine ? openOf(desired, observed).map(differenceOf) : []),
    obstacles: (desired, observed) => [
      ...(quarantine ? [] : openOf(desired, observed).map((open) => obstacleOf(open, words(open)))),
      ...openThoughOut(desired, observed).map((open) => obstacleOf(open, thoughOutWords(parts, open))),
    ],
    // The proxy has not loaded what a deploy wrote a moment ago: the deploy itself asks, when it has.
    concerns: () => false,
    async apply(differences) {
      const rows = differences.map(({ payload: { domain, domain_id } }) => ({
        domain,
        domain_id,
        since: parts.clock.now(),
        evidence: rounds.last().get(domain)?.evidence ?? 'an anonymous request got content',
      }))
      await store.write(async (tx) => {
        for (const row of rows) {
          await tx.of(ssoRecords).addQuarantine(row)
          await tx.audit(auditOf(row))
        }
      })
      for (const { domain } of rows) rounds.forget(domain)
      await parts.takenOut()
      return differences.map(({ key }) => ({ key, ok: true }))
    },
    explain: ({ working, observed }) => ({
      differences: [
        ...openOf(working, observed).map((open) => ({ open, detail: words(open) })),
        ...openThoughOut(working, observed).map((open) => ({ open, detail: thoughOutWords(parts, open) })),
      ].map(({ open: { route }, detail }) => ({
        item: route.domain,
        cause: 'edited',
        domains: [route.domain],
        detail,
      })),
      unified_diff: null,
      note: null,
    }),
    watch: (hint) => parts.watch(hint),
  }
}

const TIMER = { afresh: false }

/** A pass works by what is remembered, and asks those that are due. */
async function observe(parts: ProofParts, signal: AbortSignal): Promise<Observation<Observed>> {
  const { rounds, store, clock, routesOf, takers } = parts
  const routes = routesOf(await store.intent('released'))
  const out = await quarantinedIds(store)
  const state = { proofs: await rounds.ask(routes, signal), out }
  if (rounds.isUnreachable()) return unreachable(parts)
  const still_open = openThoughOut(routes, state)
  if (still_open.length > 0)
    await takers.look(
      still_open.map(({ route }) => route),
      signal,
    )
  // What was seen is nobody's edit of ours.
  return { known: true, state, digest: PROOF_KEY, at: clock.now() }
}

const unreachable = ({ clock, place }: Pick<ProofParts, 'clock' | 'place'>) =>
  ({
    known: false,
    reason: 'unreachable',
    detail: `The proxy does not answer at ${place}, so nothing is proven.`,
    at: clock.now(),
  }) as const

/** Within what whoever looks waits for an answer. */
const LOOK_WITHIN_MS: Milliseconds = 4_500

/** Somebody wants to know how it is now: what is not proven is not clean, unless something is known to be open. */
async function observeNow(parts: ProofParts, signal: AbortSignal): Promise<Observation<Observed>> {
  const { rounds, store, routesOf } = parts
  const routes = routesOf(await store.intent('released'))
  const proofs = await rounds.now(routes, { within_ms: LOOK_WITHIN_MS }, signal)
  return observedIn(parts, proofs)
}

/** The same of what is known by now, where somebody else has asked. */
export const observedByNow = async (
  parts: Pick<ProofParts, 'rounds' | 'store' | 'clock' | 'routesOf' | 'place'>,
): Promise<Observation<Observed>> =>
  parts.rounds.isUnreachable() ? unreachable(parts) : observedIn(parts, parts.rounds.last())

/** What these proofs come to: an open route is known, and without one no route is clean that is not proven closed. */
export async function observedIn(
  { store, clock, routesOf }: Pick<ProofParts, 'store' | 'clock' | 'routesOf'>,
  proofs: ReadonlyMap<string, Proof>,
): Promise<Observation<Observed>> {
  const routes = routesOf(await store.intent('released'))
  const out = await quarantinedIds(store)
  const state = { proofs, out }
  const at = clock.now()
  const unproven = routes.filter(
    ({ domain, domain_id }) => proofs.get(domain)?.result !== 'closed' && !out.has(domain_id),
  )
  if (unproven.length === 0 || allOpen(routes, state).length > 0)
    return { known: true, state, digest: PROOF_KEY, at }
  return { known: false, reason: 'unreachable', detail: unprovenWords(unproven, proofs), at }
}

/** The worst of what was seen, and of which it was seen: content goes before a fault. */
function unprovenWords(unproven: Desired, proofs: ReadonlyMap<string, Proof>): string {
  const names = named(unproven.map(({ domain }) => domain))
  const worst = unproven.find(({ domain }) => proofs.get(domain)?.result === 'suspect') ?? unproven[0]!
  const evidence = proofs.get(worst.domain)?.evidence ?? 'it has not been asked yet'
  const of_whom = unproven.length === 1 ? '' : ` (${worst.domain})`
  return `${names}: not proven to be closed to whoever has not signed in: ${evidence}${of_whom}.`
}

interface Open {
  readonly route: ProvenRoute
  readonly proof: Proof
}

const allOpen = (desired: Desired, { proofs }: Observed): readonly Open[] =>
  desired.flatMap((route) => {
    const proof = proofs.get(route.domain)
    return proof?.result === 'open' ? [{ route, proof }] : []
  })

const openOf = (desired: Desired, observed: Observed): readonly Open[] =>
  allOpen(desired, observed).filter(({ route }) => !observed.out.has(route.domain_id))

const openThoughOut = (desired: Desired, observed: Observed): readonly Open[] =>
  allOpen(desired, observed).filter(({ route }) => observed.out.has(route.domain_id))

const obstacleOf = ({ route: { domain, domain_id } }: Open, message: string): Obstacle => ({
  item: domain,
  domain_ids: [domain_id],
  failure: { code: 'refused_by_guard', message, retry_after_ms: 0 },
})

const differenceOf = ({ route, proof }: Open): Difference<ProvenRoute> => ({
  key: PROOF_KEY,
  verb: 'update',
  item: route.domain,
  before: proof.evidence,
  after: 'in quarantine',
  domain_ids: [route.domain_id],
  payload: route,
})

const thoughOutWords = ({ takers }: ProofParts, { route: { domain }, proof }: Open): string =>
  `${domain} is in quarantine and stands open all the same: ${proof.evidence}. ${notOurs(takers.of(domain))}`

/** What the quarantine cannot close, and what would. */
export const notOurs = (takers: readonly string[]): string =>
  `The quarantine takes out our own route and cannot close it: ${takers.length > 0 ? `${takers.join(', ')} takes` : 'another router takes'} ` +
  'the host. Take that router away where it is defined, or put the check in front of it.'

const words = ({ route: { domain }, proof: { evidence } }: Open): string =>
  `${domain} is meant to be protected and stands open: ${evidence}. Deactivate it, or see GET /api/sso/drift for the reason.`

const auditOf = ({ domain_id, domain, since, evidence }: Quarantined): AuditEntry => ({
  at: since,
  actor: 'reconciler',
  request_id: '',
  action: 'quarantine',
  domain_id,
  domain,
  revision_before: null,
  revision_after: null,
  plan_hash: null,
  detail: { evidence },
})

const codec: Codec<Desired> = {
  freeze: (desired) => {
    const chunks = [Buffer.from(canonicalJson(desired))]
    return { digest: sha256(chunks), chunks }
  },
  thaw: (chunks) => JSON.parse(Buffer.concat(chunks).toString('utf8')) as Desired,
}
