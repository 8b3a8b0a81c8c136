/** `GET /api/sso/drift`: the flags of the records beside the rules, the routes and what answers. Changes nothing. */
import type { CoreParts } from '../../core/parts.ts'
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { canBeProtected } from '../../model/access/applies.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Intent } from '../../model/intent.ts'
import type { ProxyApi, ProxySnapshot } from '../routes/traefik/port.ts'
import { type Quarantined, ssoRecords } from './records.ts'
import type { Deps } from './deps.ts'
import { PROOF_KEY } from './proof/target.ts'
import type { Proof, RulesService, RulesLook } from './service.ts'
import { type Flag, evaluateFile, evaluateProxy } from './sign-in/evaluate-attachments.ts'
import { evaluateProof } from './sign-in/evaluate-proof.ts'
import { evaluateRules } from './sign-in/evaluate-rules.ts'
import { evaluateSignIn } from './sign-in/evaluate-sign-in.ts'
import {
  isLookedAt,
  type SsoFindings,
  nothing,
  SSO_LISTS,
  type SsoEntry,
  type SsoList,
  type SsoUnknown,
} from './report.ts'

export type SsoDrift = Readonly<Record<SsoList, readonly SsoEntry[]>> & {
  /**
   * True exactly when all lists are empty, also `differences` and that of what could not be found out; `not_checked` is none
   * of them. So it is true exactly when `drift` is false.
   */
  readonly ok: boolean
  /**
   * In the words of every drift: true where a list has an entry or the rules file differs in anything at all, null where
   * something could not be read.
   */
  readonly drift: DriftState
  /** Of the rules file, also what changes no rule (a comment, a mode). */
  readonly differences: readonly ExplainedDifference[]
  readonly configured: boolean
  readonly protected_domains: number
  /** What could not be found out. */
  readonly unknown: readonly SsoUnknown[]
  /** What nobody looks at: it is not set up, or there is nothing that could be proven. */
  readonly not_checked: readonly SsoUnknown[]
  readonly quarantine: readonly QuarantineView[]
  /** RFC 3339. */
  readonly observed_at: string
}

export type QuarantineView = Omit<Quarantined, 'since'> & { readonly since: string }

/** What of it needs nobody to be asked. */
export type RouteProofs = Pick<
  SsoDrift,
  'open_route' | 'unknown' | 'not_checked' | 'quarantine' | 'protected_domains'
>

/** What anonymous requests are taken for the answer. */
export type ProofsAsked =
  /** Those of the timer: nobody is asked for it. */
  | 'kept'
  | {
      /** Of these, made after the call; null for all. */
      readonly domains: ReadonlySet<string> | null
      readonly within_ms: Milliseconds
      readonly signal: AbortSignal
    }

/** Whoever asks how it is now waits no longer for the proofs; what was not answered by then is unknown. */
export const PROVEN_WITHIN_MS: Milliseconds = 4_500

export async function readRouteProofs(
  { store, sso }: Pick<Deps, 'store' | 'sso'>,
  asked: ProofsAsked,
): Promise<RouteProofs> {
  const editions = await editionsOf(store)
  const flags = flagsOf(editions)
  const quarantine = await store.of(ssoRecords).quarantine()
  const { released } = editions
  const proofs = await proofsOf(sso, released, asked)
  const { entries, unknown } = evaluateProof(sso.proof, { released, flags, proofs, quarantine })
  return {
    open_route: entries.map(shown),
    ...parted(unknown),
    quarantine: quarantine.map(shownQuarantine),
    protected_domains: protectedIn(flags),
  }
}

const NO_PROOFS: ReadonlyMap<string, Proof> = new Map()

async function proofsOf(
  { proof }: Deps['sso'],
  intent: Intent,
  asked: ProofsAsked,
): Promise<ReadonlyMap<string, Proof>> {
  if (proof === null) return NO_PROOFS
  if (asked === 'kept') return proof.last()
  const { domains, within_ms, signal } = asked
  return proof.now({ intent, domains, within_ms }, signal)
}

/** What is found stands on every page before it is told: the engine hears of it as of a look of its own. */
async function askedAnew(
  { engine, sso }: Deps,
  { released }: Editions,
  asked: ProofsAsked,
): Promise<ReadonlyMap<string, Proof>> {
  const turn = engine.beginObservation()
  const proofs = await proofsOf(sso, released, asked)
  if (sso.proof !== null) await engine.compare(PROOF_KEY, await sso.proof.observed(), turn)
  return proofs
}

/** @param asked left out: those of all routes, made now */
export async function readSsoDrift(
  deps: Deps,
  signal: AbortSignal,
  asked: ProofsAsked = { domains: null, within_ms: PROVEN_WITHIN_MS, signal },
): Promise<SsoDrift> {
  const { store, sso, clock } = deps
  const editions = await editionsOf(store)
  // Begun first, so that it takes its time while the others are read.
  const proving =
    asked === 'kept' ? proofsOf(sso, editions.released, asked) : askedAnew(deps, editions, asked)
  proving.catch(() => undefined)
  const flags = flagsOf(editions)
  const quarantine = await store.of(ssoRecords).quarantine()
  const snapshot = sso.proxy === null ? null : await snapshotOf(sso.proxy, signal)
  // Others are to see what was seen here, not what was seen a moment before.
  deps.proxy.watch?.forget()
  const rules = await rulesFindings(deps, editions, signal)
  const found: readonly SsoFindings[] = [
    rules,
    evaluateFile(flags, await sso.attachments(signal), await routesDifferences(deps, signal)),
    sso.proxy === null ? { ...nothing, unknown: [NO_PROXY] } : await evaluateProxy(flags, snapshot, sso),
    evaluateSignIn({
      working: editions.working,
      sites: sso.rules?.sites(editions.working) ?? [],
      sign_in: await sso.sign_in.read(signal),
      snapshot,
      routers: sso,
    }),
    evaluateProof(sso.proof, {
      released: editions.released,
      flags,
      proofs: await proving,
      quarantine: await store.of(ssoRecords).quarantine(),
    }),
  ]
  const entries = found.flatMap((part) => part.entries)
  const { unknown, not_checked } = parted(found.flatMap((part) => part.unknown))
  const lists = Object.fromEntries(
    SSO_LISTS.map((list) => [list, entries.filter((entry) => entry.list === list).map(shown)]),
  ) as Record<SsoList, SsoEntry[]>
  const drifts = entries.length > 0 || rules.differences.length > 0
  const is_unknown = unknown.length > 0
  return {
    ok: !drifts && !is_unknown,
    drift: drifts ? true : is_unknown ? null : false,
    differences: rules.differences,
    configured: sso.rules !== null,
    protected_domains: protectedIn(flags),
    ...lists,
    unknown,
    not_checked,
    quarantine: quarantine.map(shownQuarantine),
    observed_at: isoTime(clock.now()),
  }
}

/** As every other answer about drift has it: what is not set up is not in question. */
const parted = (all: readonly SsoUnknown[]): Pick<SsoDrift, 'unknown' | 'not_checked'> => ({
  unknown: all.filter(isLookedAt),
  not_checked: all.filter((one) => !isLookedAt(one)),
})

const editionsOf = async (store: Deps['store']): Promise<Editions> => ({
  working: await store.intent('working'),
  released: await store.intent('released'),
})

const shown = ({ domain, cause, detail, cure }: SsoFindings['entries'][number]): SsoEntry => ({
  domain,
  cause,
  detail,
  cure,
})

const shownQuarantine = (row: Quarantined): QuarantineView => ({ ...row, since: isoTime(row.since) })

const protectedIn = (flags: readonly Flag[]): number =>
  flags.filter(({ auth_required }) => auth_required).length

interface Editions {
  readonly working: Intent
  readonly released: Intent
}

/** Live records to which the check can apply. */
function flagsOf({ working, released }: Editions): readonly Flag[] {
  const deployed = new Map(released.rows.filter(({ live }) => live).map((row) => [row.domain_id, row.fields]))
  return working.rows
    .filter(({ live, fields }) => live && canBeProtected(fields))
    .map(({ domain_id, fields: { domain, auth_required } }) => {
      const row = deployed.get(domain_id)
      return { domain, auth_required, released: row?.domain === domain ? row.auth_required : null }
    })
}

const routesDifferences = async ({ engine }: CoreParts, signal: AbortSignal) =>
  (await engine.observeFirstKey('routes', signal)).differences

type RulesFindings = SsoFindings & Pick<SsoDrift, 'differences'>

async function rulesFindings(
  { sso, engine }: Deps,
  editions: Editions,
  signal: AbortSignal,
): Promise<RulesFindings> {
  const service = sso.rules
  if (service === null) return { ...nothing, differences: [], unknown: [NO_RULES] }
  const { path, can_load } = service
  const look = await lookOrWhy(service, signal)
  if (typeof look === 'string')
    return { ...nothing, differences: [], unknown: [{ ...NO_LOOK, detail: look }] }
  const { differences } = await engine.observeFirstKey(service.component, signal)
  const sites = { working: service.sites(editions.working), released: service.sites(editions.released) }
  return { ...evaluateRules({ ...sites, differences, look, can_load, path }), differences }
}

const NO_LOOK = {
  part: 'rules',
  domain: null,
  cause: 'unreadable',
  cure: 'See that the file can be read.',
} as const

const NO_RULES: SsoUnknown = {
  part: 'rules',
  domain: null,
  cause: 'not_configured',
  detail: 'Access rules are not managed here.',
  cure: 'Set PLUMBLINE_SSO_RULES_FILE.',
}

async function lookOrWhy(service: RulesService, signal: AbortSignal): Promise<RulesLook | string> {
  try {
    return await service.look(signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return error.message
  }
}

/** Null where it does not answer. */
async function snapshotOf(proxy: ProxyApi, signal: AbortSignal): Promise<ProxySnapshot | null> {
  try {
    return await proxy.snapshot(signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}

const NO_PROXY: SsoUnknown = {
  part: 'proxy',
  domain: null,
  cause: 'not_configured',
  detail: 'What the proxy runs cannot be seen.',
  cure: 'Set PLUMBLINE_TRAEFIK_API.',
}
