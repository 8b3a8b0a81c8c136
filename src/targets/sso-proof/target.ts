/**
 * The proof that protected routes are closed, as something that is kept true: whoever has not signed in gets nothing.
 *
 * Everything else is a promise of files. This asks. What is wrong is told as a critical condition of the domain; with the
 * quarantine set, the route is taken out, which is the one deed there is here. A proxy that does not answer is unknown.
 */
import type { Codec, Difference, Observation, Target } from '../../engine/target.ts'
import { canonicalJson, sha256 } from '../../kernel/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Intent } from '../../model/intent.ts'
import type { Quarantined } from '../../ports/sso-records.ts'
import type { AuditEntry, Store } from '../../ports/store.ts'
import type { ProvenRoute } from './provable.ts'
import type { Proof, Rounds } from './rounds.ts'

type Desired = readonly ProvenRoute[]
type Observed = ReadonlyMap<string, Proof>

export interface ProofParts {
  readonly rounds: Rounds
  /** Where the proxy is asked, for people. */
  readonly place: string
  /** Pure. Protected routes of an edition that can be asked for. */
  readonly routesOf: (intent: Intent) => readonly ProvenRoute[]
  readonly store: Pick<Store, 'write' | 'intent' | 'quarantine'>
  readonly clock: Clock
  readonly quarantine: boolean
  /** A route is to be taken out. Never throws. */
  readonly takenOut: () => Promise<void>
  /** Calls `hint` when routes were written. */
  readonly watch: (hint: () => void) => { close(): void }
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
    backoff: { first_ms: 10_000, most_ms: 60_000 },
    whole: false,
    place: parts.place,
    reads: ['domains'],
    desire: parts.routesOf,
    codec,
    glance: () => rounds.glance(),
    observe: (signal) => observe(parts, signal),
    diff: (desired, observed) => (quarantine ? openOf(desired, observed).map(differenceOf) : []),
    obstacles: (desired, observed) =>
      quarantine
        ? []
        : openOf(desired, observed).map(({ route: { domain, domain_id }, proof }) => ({
            item: domain,
            domain_ids: [domain_id],
            failure: { code: 'refused_by_guard', message: words(domain, proof), retry_after_ms: 0 },
          })),
    // The proxy has not loaded what a deploy wrote a moment ago, so a deploy does not wait for the proof.
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
          await tx.addQuarantine(row)
          await tx.audit(auditOf(row))
        }
      })
      await parts.takenOut()
      return differences.map(({ key }) => ({ key, ok: true }))
    },
    explain: ({ working, observed }) => ({
      differences: openOf(working, observed).map(({ route: { domain }, proof }) => ({
        item: domain,
        cause: 'edited',
        domains: [domain],
        detail: words(domain, proof),
      })),
      unified_diff: null,
      note: null,
    }),
    watch: (hint) =>
      parts.watch(() => {
        rounds.doubt()
        hint()
      }),
  }
}

/** A route in quarantine is not there to be asked. */
async function observe(parts: ProofParts, signal: AbortSignal): Promise<Observation<Observed>> {
  const { rounds, store, clock, routesOf, place } = parts
  const out = new Set((await store.quarantine()).map(({ domain_id }) => domain_id))
  const routes = routesOf(await store.intent('released')).filter(({ domain_id }) => !out.has(domain_id))
  const state = await rounds.ask(routes, signal)
  if (rounds.isDeaf())
    return {
      known: false,
      reason: 'unreachable',
      detail: `The proxy does not answer at ${place}, so nothing is proven.`,
      at: clock.now(),
    }
  // What was seen is nobody's edit of ours.
  return { known: true, state, digest: PROOF_KEY, at: clock.now() }
}

interface Open {
  readonly route: ProvenRoute
  readonly proof: Proof
}

const openOf = (desired: Desired, observed: Observed): readonly Open[] =>
  desired.flatMap((route) => {
    const proof = observed.get(route.domain)
    return proof?.verdict === 'open' ? [{ route, proof }] : []
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

const words = (domain: string, { evidence }: Proof): string =>
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
