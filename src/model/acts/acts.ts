/**
 * What can be done about what is not as it should be, the likeliest first. Pure. Only what is built is offered; what is built
 * and not possible now says why.
 *
 *   cause                                    acts
 *   pending_deploy, renderer_changed         deploy; what is saved of one record can be discarded
 *   edited, lost, access, rejected           repair; a certificate that was refused is obtained now
 *   edited_and_pending, applied_unrecorded   repair, deploy, discard
 *   foreign_owner, orphan in DNS             adopt; an orphan can be taken away as well
 *   not_loaded                               go_back
 *   neighbour, shadowed, not_served, removing   none: a person has to act elsewhere, or to wait
 *
 * What a hand made of the routes of one record can be saved as an edit of it: edited, edited_and_pending.
 * What would be repaired may stay for a while instead, where a person may say so: edited, lost, edited_and_pending. All of them
 * can be looked at again, and what a mode holds back can be let go on.
 */
import type { Act } from './act.ts'
import type { Alert } from '../alert.ts'
import { AWAITS_DEPLOY, BY_HAND, type DriftCause, type ExplainedDifference } from '../drift.ts'
import type { HealthComponent } from '../health.ts'
import { MANAGED_TYPES } from '../network/dns.ts'
import {
  adoptAct,
  configureAct,
  deployAct,
  discardAct,
  goBackAct,
  ignoreAct,
  liftAct,
  lookAct,
  refusedAct,
  releaseRecordAct,
  removeRecordAct,
  renewAct,
  repairAct,
  resumeAct,
  retryAct,
  saveTheirsAct,
} from './calls.ts'
import type { ActGround } from './ground.ts'

const LOOK_AT_DRIFT = '/api/drift'
const LOOK_AT_HEALTH = '/api/control-plane/health?probe=true'

/** @param component that it was found at */
export function actsOnDifference(
  ground: ActGround,
  component: string,
  difference: Pick<ExplainedDifference, 'item' | 'cause' | 'domains'>,
): readonly Act[] {
  return [
    ...byCause(ground, component, difference),
    ...theirs(component, difference),
    ...ignored(ground, component, difference),
    // A deploy is done in every mode but `suspend`: another mode would not bring it out.
    ...(AWAITS_DEPLOY.has(difference.cause) && ground.suspendedBy(component) === null
      ? []
      : resumed(ground, component)),
    lookAct(LOOK_AT_DRIFT),
  ]
}

/** Each with what can be done about it. */
export const withActs = <D extends Pick<ExplainedDifference, 'item' | 'cause' | 'domains'>>(
  ground: ActGround,
  component: string,
  differences: readonly D[],
): readonly (D & { readonly acts: readonly Act[] })[] =>
  differences.map((one) => ({ ...one, acts: actsOnDifference(ground, component, one) }))

function byCause(
  ground: ActGround,
  component: string,
  { item, cause, domains }: Pick<ExplainedDifference, 'item' | 'cause' | 'domains'>,
): readonly Act[] {
  switch (cause) {
    case 'pending_deploy':
    case 'renderer_changed':
      return [deployed(ground, domains), ...(cause === 'pending_deploy' ? discarded(ground, domains) : [])]
    case 'edited':
    case 'lost':
    case 'access':
      return repaired(ground, component)
    case 'rejected':
      return repaired(ground, component, refusedAct)
    case 'edited_and_pending':
    case 'applied_unrecorded':
      return [...repaired(ground, component), deployed(ground, domains), ...discarded(ground, domains)]
    case 'foreign_owner':
      return component === 'dns' ? onForeign(item) : []
    case 'orphan':
      return component === 'dns' ? onOrphanItem(item, domains) : []
    case 'not_loaded':
      return [goBackAct(ground.release - 1)]
    case 'neighbour':
    case 'shadowed':
    case 'not_served':
    case 'removing':
      return []
  }
}

/** Of the routes of one record. Whether the record can say it is known once it is read, so the call itself may refuse. */
const theirs = (
  component: string,
  { item, cause, domains }: Pick<ExplainedDifference, 'item' | 'cause' | 'domains'>,
): readonly Act[] =>
  component === 'routes' && HAS_THEIRS.has(cause) && domains.length === 1 ? [saveTheirsAct(item)] : []

/** Something of theirs stands there. */
const HAS_THEIRS: ReadonlySet<DriftCause> = new Set(['edited', 'edited_and_pending'])

/** A state that lets in more than what was released is refused by the call itself: that depends on what stands there. */
const ignored = (
  ground: ActGround,
  component: string,
  { item, cause }: Pick<ExplainedDifference, 'item' | 'cause'>,
): readonly Act[] => (BY_HAND.has(cause) && ground.mayBeIgnored(component) ? [ignoreAct(item)] : [])

const deployed = ({ idOf }: ActGround, domains: readonly string[]): Act =>
  deployAct(domains.flatMap((domain) => idOf(domain) ?? []))

const discarded = ({ idOf }: ActGround, domains: readonly string[]): readonly Act[] => {
  const ids = domains.flatMap((domain) => idOf(domain) ?? [])
  return ids.length === 1 ? ids.map(discardAct) : []
}

const repaired = (ground: ActGround, component: string, by = repairAct): readonly Act[] =>
  ground.isKept(component) ? [by(component, ground.suspendedBy(component))] : []

const onForeign = (item: string): readonly Act[] => {
  const record = recordIn(item)
  return record === null ? [] : [adoptAct(record, null)]
}

function onOrphanItem(item: string, domains: readonly string[]): readonly Act[] {
  const record = recordIn(item)
  return record === null ? [] : onOrphan(record, domains.length > 0)
}

interface RecordName {
  readonly name: string
  readonly type: string
}

/** By the name of a set as it is told everywhere: `A app.example.com`. */
function recordIn(item: string): RecordName | null {
  const [type = '', name = ''] = item.split(' ')
  return name !== '' && MANAGED.has(type) ? { name, type } : null
}

/** @param wanted by a domain that is deployed */
const onOrphan = (record: RecordName, wanted: boolean): readonly Act[] =>
  wanted
    ? [adoptAct(record, null)]
    : [removeRecordAct(record), adoptAct(record, 'No deployed domain asks for it.')]

const MANAGED: ReadonlySet<string> = new Set(MANAGED_TYPES)

/** Where a mode keeps the reconciler from acting by itself. */
function resumed({ modeBefore }: ActGround, component: string): readonly Act[] {
  const mode = modeBefore(component)
  return mode === null ? [] : [{ ...resumeAct(mode.scope), why_not: mode.why_not }]
}

/** Of a part of the health page that is not as it should be, or is not set up; none where it is well. */
export function actsOnPart(
  ground: ActGround,
  part: Pick<HealthComponent, 'component' | 'configured' | 'ok' | 'reason' | 'causes' | 'details'>,
): readonly Act[] {
  const { component, configured, ok, reason, causes, details } = part
  if (!configured || reason === 'not_configured') return settingsOf(details).map(configureAct)
  if (ok) return []
  const acts = ground.isKept(component)
    ? onKept(ground, component, { reason, causes: Object.keys(causes) })
    : []
  return [...acts, ...resumed(ground, component), lookAct(LOOK_AT_HEALTH)]
}

interface KeptState {
  readonly reason: HealthComponent['reason']
  readonly causes: readonly string[]
}

function onKept(ground: ActGround, component: string, { reason, causes }: KeptState): readonly Act[] {
  if (reason === 'pending_deploy' || reason === 'not_rendered') return [deployAct([])]
  const suspended = ground.suspendedBy(component)
  if (reason === 'failing' || reason === 'unfinished') return [retryAct(component, suspended)]
  if (reason === 'refused' || reason === 'contested') return [refusedAct(component, suspended)]
  if (reason !== 'drifting') return []
  const all = causes.flatMap((cause) =>
    byCause(ground, component, { item: '', cause: cause as DriftCause, domains: [] }),
  )
  return eachOnce(all)
}

/** Of one trouble. What concerns a thing of its own kind is told by that kind, all else by how its component stands. */
export function actsOnAlert(
  ground: ActGround,
  { id, kind, component, domains }: Pick<Alert, 'id' | 'kind' | 'component' | 'domains'>,
): readonly Act[] {
  const [of] = id.split('/')
  return [
    ...(of === 'quarantine' ? domains.map(liftAct) : byKind(ground, kind, component)),
    ...resumed(ground, component),
    lookAct(LOOK_AT_HEALTH),
  ]
}

function byKind(ground: ActGround, kind: Alert['kind'], component: string): readonly Act[] {
  const suspended = ground.suspendedBy(component)
  const is_kept = ground.isKept(component)
  switch (kind) {
    case 'not_loaded':
      return [goBackAct(ground.release - 1)]
    case 'certificate_due':
    case 'certificate_expired':
      return ground.isKept('certificates') ? [renewAct(ground.suspendedBy('certificates'))] : []
    case 'failing':
    case 'unfinished_lasting':
      return is_kept ? [retryAct(component, suspended)] : []
    case 'repair_refused':
    case 'contested':
    case 'drift_lasting':
    case 'route_open':
      return is_kept ? [refusedAct(component, suspended)] : []
    case 'dns_not_in_place':
    case 'unknown_lasting':
    case 'invariant_broken':
    case 'edge_lost':
    case 'heartbeat_silent':
    case 'consent_needed':
    case 'key_ending':
    case 'rotation_due':
      return []
  }
}

/** What would set it up, as its check names it. */
const settingsOf = ({ settings }: HealthComponent['details']): readonly string[] =>
  Array.isArray(settings) ? settings.filter((name) => typeof name === 'string') : []

/** By what is called, and with what. */
export const eachOnce = (acts: readonly Act[]): readonly Act[] => [
  ...new Map(acts.map((act) => [`${act.method} ${act.path} ${JSON.stringify(act.body)}`, act])).values(),
]

/** A set of the DNS listing. @param cause null for what is as it should be */
export function actsOnRecord(
  ground: ActGround,
  record: RecordName & {
    readonly state: string
    readonly cause: DriftCause | null
    readonly domain: string | null
    readonly wanted: boolean
  },
): readonly Act[] {
  const { name, type, state, cause, domain, wanted } = record
  const given_up = type === 'CNAME' ? [] : [releaseRecordAct({ name, type })]
  switch (state) {
    case 'orphan':
      return onOrphan(record, wanted)
    case 'foreign':
    case 'conflict':
      return [adoptAct({ name, type }, wanted ? null : 'No deployed domain asks for it.')]
    case 'other_installation':
      return [adoptAct({ name, type }, 'Another installation keeps it and would take it back.')]
    case 'owned':
    case 'adopted':
    case 'unmarked':
      return [
        ...(cause === null
          ? []
          : byCause(ground, 'dns', {
              item: `${type} ${name}`,
              cause,
              domains: domain === null ? [] : [domain],
            })),
        ...given_up,
      ]
    case 'lost':
    case 'absent':
      return cause === null
        ? []
        : byCause(ground, 'dns', { item: `${type} ${name}`, cause, domains: domain === null ? [] : [domain] })
    default:
      return []
  }
}

/** One certificate of ours; of the proxy's own nothing is done here. */
export const actsOnCertificate = (
  ground: ActGround,
  { source, drift }: { readonly source: 'manager' | 'proxy'; readonly drift: boolean | null },
): readonly Act[] =>
  source === 'manager' && drift !== false ? [renewAct(ground.suspendedBy('certificates'))] : []
