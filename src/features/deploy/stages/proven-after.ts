/**
 * Whether the protected routes of a deploy are closed to whoever has not signed in: asked when the proxy has them, for a few
 * seconds in all. What is found open, and what nobody has proven closed, is named; nothing is called closed for being asked
 * later.
 */
import { named } from '../../../core/check.ts'
import type { UnfinishedPart } from '../../../core/answers.ts'
import type { Deployed } from '../../../core/deploy.ts'
import type { ProofEnd } from '../../../engine/progress.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { isProtected } from '../../../model/access/applies.ts'
import type { OpenRoute, ProvenRoutes, UnprovenRoute } from '../../../model/access/proven.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Report } from '../../../model/report.ts'
import { PROOF_KEY } from '../../sso/proof/target.ts'
import { quarantinedIds } from '../../sso/records.ts'
import type { Unprovable } from '../../sso/proof/provable.ts'
import type { Proof, ProofService } from '../../sso/service.ts'
import type { Deps } from '../deps.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export interface ProvenQuestion {
  readonly deployed: Deployed
  /** Whether the proxy runs what was written; null where that is not known. */
  readonly loaded: boolean | null
  /** Routes were written by this call, or are by a release of it. */
  readonly is_news: boolean
}

export interface ProvenAfter extends ProvenRoutes {
  /** Of the proof as a component, where the call is about every record. */
  readonly reports: readonly Report[]
  readonly unfinished: readonly UnfinishedPart[]
  readonly warnings: readonly string[]
}

/** All that a deploy waits for proofs, however many routes it has. */
const PROVEN_WITHIN_MS: Milliseconds = 5_000
const NOTHING: ProvenAfter = { open_routes: [], not_proven: [], reports: [], unfinished: [], warnings: [] }

/** Components that put a route before the world, or the check before a route. */
const CONCERNED: ReadonlySet<string | undefined> = new Set([undefined, 'routes', 'sso', PROOF_KEY])

/** What a deploy leaves to the time when the proxy has the routes: earlier answers would be those to the earlier file. */
export const isProvenLater = ({ direction, component }: Deployed): boolean =>
  direction === 'open' && component === undefined

export async function provenAfter(deps: Deps, question: ProvenQuestion): Promise<ProvenAfter> {
  const { deployed, loaded } = question
  const { direction, component, keys, about, domain_ids } = deployed
  const whole = about === 'every'
  if (direction !== 'open' || keys !== undefined || !CONCERNED.has(component)) return NOTHING
  const released = await deps.store.intent('released')
  const ids = new Set(domain_ids)
  const rows = released.rows.filter(({ live, domain_id }) => live && (whole || ids.has(domain_id)))
  const prove =
    deps.sso.proof !== null && rows.some(({ fields }) => isProtected(fields))
      ? deployed.progress?.proves('sign_in_proven')
      : undefined
  const found = await proofsOf(deps, { rows, released, ...question })
  const not_proven = [...found.unseen.map(unseenRoute), ...found.never]
  prove?.(endOf({ open_routes: found.open.map((one) => openRoute(one, CLOSE)), not_proven }))
  const reports = whole || found.open.length > 0 ? await decided(deps, deployed, loaded) : []
  const open_routes = await afterQuarantine(deps, found.open)
  return {
    open_routes,
    not_proven,
    reports: whole ? reports : [],
    unfinished: loaded === false ? [] : unfinishedOf(found.unseen),
    warnings: [...open_routes.map(({ detail }) => detail), ...warningsOf(deps, not_proven, loaded)],
  }
}

function endOf({ open_routes, not_proven }: ProvenRoutes): ProofEnd {
  const [first] = [...open_routes, ...not_proven]
  const state = open_routes.length > 0 ? 'failed' : not_proven.length > 0 ? 'unfinished' : 'done'
  return { state, message: first?.detail ?? null }
}

/** What follows from it stands before the answer goes out: the condition of the domain, and its quarantine where that is set. */
async function decided(
  { engine, health }: Deps,
  { component, progress }: Deployed,
  loaded: boolean | null,
): Promise<readonly Report[]> {
  if (!engine.keys().includes(PROOF_KEY) || loaded === false) return []
  const reports = await engine.converge('open', { records: 'all', keys: [PROOF_KEY], progress })
  await health.rounds.look('sso_routes')
  return component === undefined ? reports : []
}

/** Where that is set, one that was found open has been taken out by now. */
async function afterQuarantine(deps: Deps, open: readonly SeenOpen[]): Promise<readonly OpenRoute[]> {
  if (open.length === 0) return []
  const out = await quarantinedIds(deps.store)
  return open.map((one) => openRoute(one, out.has(one.domain_id) ? TAKEN_OUT : CLOSE))
}

type Rows = Intent['rows']

interface Facts extends ProvenQuestion {
  readonly rows: Rows
  readonly released: Intent
}

/** What was seen of a route, before it is said what helps. */
interface SeenRoute {
  readonly domain_id: number
  readonly domain: string
  /** A clause without an end. */
  readonly evidence: string
}

interface SeenOpen extends SeenRoute {
  /** Of one that was out already: what would close it, which the quarantine cannot. */
  readonly not_closable: string | null
}

interface ProofFindings {
  readonly open: readonly SeenOpen[]
  /** Neither open nor closed as of now. */
  readonly unseen: readonly SeenRoute[]
  /** Nobody asks, or nothing could be proven. */
  readonly never: readonly UnprovenRoute[]
}

/** @param cure where it was not out already */
const openRoute = ({ domain_id, domain, evidence, not_closable }: SeenOpen, cure: string): OpenRoute => ({
  domain_id,
  domain,
  detail: `${domain} answers without signing in: ${evidence}. ${not_closable ?? cure}`,
})

const unseenRoute = ({ domain_id, domain, evidence }: SeenRoute): UnprovenRoute => ({
  domain_id,
  domain,
  cause: 'not_seen',
  detail: `Not proven yet: ${evidence}.`,
})

async function proofsOf(deps: Deps, facts: Facts): Promise<ProofFindings> {
  const { rows, released } = facts
  const { proof } = deps.sso
  const shut = rows.filter(({ fields }) => isProtected(fields))
  if (proof === null) return { open: [], unseen: [], never: shut.map(unasked) }
  const out = await quarantinedIds(deps.store)
  const ids = new Set(rows.map(({ domain_id }) => domain_id))
  const not_provable = proof.notProvable(released).filter(({ domain_id }) => ids.has(domain_id))
  const nobody_asks = new Set(not_provable.map(({ domain_id }) => domain_id))
  const asked = shut.filter(({ domain_id }) => !nobody_asks.has(domain_id))
  const proofs = await askedNow(proof, facts, asked)
  // What is in quarantine has no route of ours that could be proven.
  const routed = asked.filter(({ domain_id }) => !out.has(domain_id))
  return {
    open: openAmong(asked, proofs, (id, domain) => (out.has(id) ? proof.notClosable(domain) : null)),
    unseen: unseenAmong(routed, proofs),
    never: not_provable.map(neverProven),
  }
}

type Proofs = ReadonlyMap<string, Proof>

const openAmong = (
  asked: Rows,
  proofs: Proofs,
  whyNotClosable: (domain_id: number, domain: string) => string | null,
): readonly SeenOpen[] =>
  asked.flatMap(({ domain_id, fields: { domain } }) => {
    const seen = proofs.get(domain)
    if (seen?.result !== 'open') return []
    return [{ domain_id, domain, evidence: seen.evidence, not_closable: whyNotClosable(domain_id, domain) }]
  })

const unseenAmong = (asked: Rows, proofs: Proofs): readonly SeenRoute[] =>
  asked
    .toSorted((a, b) => gravity(proofs, b) - gravity(proofs, a))
    .flatMap(({ domain_id, fields: { domain } }) => {
      const seen = proofs.get(domain)
      if (seen?.result === 'open' || seen?.result === 'closed') return []
      return [{ domain_id, domain, evidence: seen?.evidence ?? 'the proxy has not loaded the routes file' }]
    })

const neverProven = ({ domain_id, domain, cause, detail, cure }: Unprovable): UnprovenRoute => ({
  domain_id,
  domain,
  cause: cause === 'no_door' ? 'not_configured' : 'not_provable',
  detail: `${detail} ${cure}`,
})

/** Content goes before a fault: the sentence of the answer has the reason of the first. */
const gravity = (proofs: Proofs, { fields }: Rows[number]): number =>
  proofs.get(fields.domain)?.result === 'suspect' ? 1 : 0

const CLOSE = 'Deactivate it until the reason is found: GET /api/sso/drift.'

const TAKEN_OUT =
  'Its route was taken out: find the reason (GET /api/sso/drift), then "plumbline access lift DOMAIN" puts it back.'

const NOBODY_ASKS =
  'PLUMBLINE_SSO_PROBE lets Plumbline try it after each deploy; PLUMBLINE_SSO_UNPROVEN=accept ends this warning.'

const unasked = ({ domain_id, fields: { domain } }: Rows[number]): UnprovenRoute => ({
  domain_id,
  domain,
  cause: 'not_configured',
  detail: NOBODY_ASKS,
})

/** What the proxy has not loaded is not asked: the answers would be those of the earlier file. */
async function askedNow(
  proof: ProofService,
  { released: intent, loaded, is_news, deployed }: Facts,
  asked: Rows,
): ReturnType<ProofService['now']> {
  if (loaded === false || asked.length === 0) return new Map()
  if (loaded === true) proof.runs()
  const domains = deployed.about === 'every' ? null : new Set(asked.map(({ fields }) => fields.domain))
  const insists = loaded === null && is_news
  return proof.now({ intent, domains, within_ms: PROVEN_WITHIN_MS, insists }, NEVER_ABORTED)
}

/** One sentence for all: the list of the answer has the reason of each. */
function unfinishedOf(unseen: readonly SeenRoute[]): readonly UnfinishedPart[] {
  const [first] = unseen
  if (first === undefined) return []
  const message = `Nobody has proven yet that ${named(unseen.map(({ domain }) => domain))} ${unseen.length === 1 ? 'is' : 'are'} closed to whoever has not signed in: ${first.evidence}.`
  return [{ component: PROOF_KEY, key: PROOF_KEY, code: 'component_unavailable', message }]
}

/** That one is not proven yet is said as a part that is not done. */
function warningsOf(
  { sso }: Deps,
  not_proven: readonly UnprovenRoute[],
  loaded: boolean | null,
): readonly string[] {
  const never = not_proven.filter(({ cause }) => cause === 'not_configured')
  if (never.length === 0 || loaded === false || sso.accepts_unproven) return []
  const names = named(never.map(({ domain }) => domain))
  return [`Not proven: that ${names} cannot be opened without signing in. ${never[0]!.detail}`]
}
