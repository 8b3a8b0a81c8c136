/**
 * What must hold after a death, wherever it came. Each invariant is a pure predicate over the facts: null, or what is
 * wrong. Stage n is what stands after step n of the flow, counted from 0, in a run without a fault.
 */
import type { Aftermath, NextStart } from './aftermath.ts'
import { FLOW } from './flow.ts'
import type { Reference, Stage } from './reference.ts'
import type { Ending } from './run-child.ts'
import { sameButCounters, sameState } from './state.ts'

export interface Facts {
  readonly reference: Reference
  readonly death: Death
  /** How the client fared who came back and went on, or null when nobody did. */
  readonly returned: Ending | null
  /** Steps that were answered by the end. The next one may be done, too. */
  readonly acknowledged: number
  /** Digests of what strangers put into the file and we overwrote. */
  readonly strangers: readonly string[]
  /** False when calls were repeated: counters and audit rows may then be more. */
  readonly exact: boolean
  readonly aftermath: Aftermath
}

export interface Death {
  readonly ending: Ending
  /** Steps that were answered before it. */
  readonly acknowledged: number
  /** SHA-256 of the routes file that it left; null when there was none. */
  readonly file: string | null
}

export const INVARIANT_NAMES = [
  'the daemon goes on',
  'the next start succeeds',
  'the file was never torn',
  'the journal knew of what was written',
  'the world converged',
  'each change happened as a whole or not at all',
  'nothing acknowledged is lost',
  'the file is the newest release',
  'the journal is closed',
  'no drift but what is pending',
  'a second pass writes nothing',
  'one audit row for each change',
  'what a stranger wrote is kept, and nothing else',
  'nothing is left lying about',
  'the database keeps its promises',
] as const
export type InvariantName = (typeof INVARIANT_NAMES)[number]

export interface Broken {
  readonly name: InvariantName
  readonly detail: string
}

export function brokenIn(facts: Facts): Broken[] {
  const { aftermath } = facts
  const at_death = AT_DEATH.flatMap(([name, fault]) => brokenBy(name, fault(facts)))
  if (!aftermath.started) return [...at_death, { name: 'the next start succeeds', detail: aftermath.refused }]
  return [...at_death, ...AFTERWARDS.flatMap(([name, fault]) => brokenBy(name, fault(facts, aftermath.next)))]
}

/** How many acknowledged steps the database no longer shows. */
export function lostIn(facts: Facts): number {
  const stage = facts.aftermath.started ? stageOf(facts, facts.aftermath.next) : null
  return stage === null ? 0 : Math.max(0, facts.acknowledged - 1 - stage)
}

const brokenBy = (name: InvariantName, detail: string | null): Broken[] =>
  detail === null ? [] : [{ name, detail }]

const short = (digest: string | null | undefined): string => digest?.slice(0, 12) ?? 'nothing'

/** The stage that the database shows: one that is possible if there is one, else the latest, else null. */
function stageOf({ reference, exact, acknowledged }: Facts, { state }: NextStart): number | null {
  const same = exact ? sameState : sameButCounters
  const shown = reference.stages.flatMap((stage, i) => (same(stage.state, state) ? [i] : []))
  return shown.find((i) => i === acknowledged - 1 || i === acknowledged) ?? shown.at(-1) ?? null
}

type Invariant = (facts: Facts) => string | null

/** A child may be killed, and may come to its end. It may not give up. */
const goesOn: Invariant = ({ death: { ending }, returned }) => {
  if (ending.how === 'failed' || ending.how === 'overdue') return `the child ${ending.how}: ${ending.said}`
  return returned === null || returned.how === 'ended'
    ? null
    : `coming back ${returned.how}: ${returned.said}`
}

/** What the last acknowledged step left, what the one after it was about to leave, or the stranger's own bytes. */
const neverTorn: Invariant = ({ reference, death: { acknowledged, file } }) => {
  if (file === null && acknowledged === 0) return null
  if (file === reference.hand_edit && FLOW[acknowledged]?.kind === 'hand-edit') return null
  const possible: readonly Stage[] = reference.stages.slice(Math.max(0, acknowledged - 1), acknowledged + 1)
  return possible.some((stage) => stage.file === file)
    ? null
    : `the file found is ${short(file)}, which is no release that could be there`
}

const AT_DEATH: readonly (readonly [InvariantName, Invariant])[] = [
  ['the daemon goes on', goesOn],
  ['the file was never torn', neverTorn],
]

type LaterInvariant = (facts: Facts, next: NextStart) => string | null

/** The bytes that were found are either recorded as applied, or a journal step led to them. */
const journalKnew: LaterInvariant = ({ death: { file }, reference, exact }, { applied, led_to }) => {
  if (!exact || file === null || file === reference.hand_edit) return null
  const known = [...applied.map(({ digest }) => digest), ...led_to]
  return known.includes(file) ? null : `nobody recorded that ${short(file)} was written`
}

const converged: LaterInvariant = (_facts, { converged, reports }) =>
  converged ? null : reports.map(({ outcome, failure }) => `${outcome}: ${failure?.message}`).join('; ')

const whole: LaterInvariant = (facts, next) => {
  const names = next.state.records.map(({ domain }) => domain)
  if (new Set(names).size < names.length) return `a domain is there twice: ${names.join(', ')}`
  const stage = stageOf(facts, next)
  if (stage === null) return `the database is at no stage of the flow: ${JSON.stringify(next.state)}`
  return stage <= facts.acknowledged ? null : `the database is at stage ${stage}, which nobody asked for yet`
}

const nothingLost: LaterInvariant = (facts) => {
  const lost = lostIn(facts)
  return lost === 0 ? null : `${lost} of ${facts.acknowledged} acknowledged steps are gone`
}

const worldIsReleased: LaterInvariant = (facts, next) => {
  const stage = stageOf(facts, next)
  const wanted = stage === null ? next.state.routes : facts.reference.stages[stage]!.file
  return next.file === wanted && next.file === next.state.routes
    ? null
    : `the file is ${short(next.file)}, the release ${short(next.state.routes)}, wanted is ${short(wanted)}`
}

const journalClosed: LaterInvariant = (_facts, { left_open }) =>
  left_open === 0 ? null : `${left_open} steps are open`

const onlyPending: LaterInvariant = (_facts, { drift: { drift, causes, pending } }) => {
  const others = causes.filter((cause) => cause !== 'pending_deploy')
  return drift === pending.length > 0 && others.length === 0
    ? null
    : `drift is ${drift}, pending are ${pending.join(', ') || 'none'}, causes are ${causes.join(', ') || 'none'}`
}

const quiet: LaterInvariant = (_facts, { rewritten }) =>
  rewritten.length === 0 ? null : rewritten.join(', ')

const audited: LaterInvariant = (facts, next) => {
  const stage = stageOf(facts, next)
  const wanted = stage === null ? null : facts.reference.stages[stage]!.audit
  if (!facts.exact || wanted === null) return null
  return next.audit.join() === wanted.join() ? null : `the trail is ${next.audit.join(', ')}`
}

const onlyStrangersKept: LaterInvariant = ({ strangers }, { evidence }) => {
  const gone = strangers.filter((digest) => !evidence.includes(digest))
  if (gone.length > 0) return `${gone.map(short).join(', ')} is gone`
  const ours = evidence.filter((digest) => !strangers.includes(digest))
  return ours.length === 0 ? null : `${ours.map(short).join(', ')} was taken for a stranger's`
}

const MAY_STAY = [
  // The stranger's own.
  /^draft$/,
  /^(plumbline\.db|lock\.db|installation\.json|api-key|api-keys\.json|credential-ages\.json|ballast)$/,
  /^traefik(\/routes\.yml)?$/,
  // How far the world is.
  /^(traefik|\.traefik\.plumbline)\/\.routes\.yml\.[0-9a-f]{12}\.plumbline$/,
  /^traefik\/\.plumbline-evidence-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}$/,
  /^\.traefik\.plumbline(\/evidence-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8})?$/,
]

const tidy: LaterInvariant = (_facts, { paths }) => {
  const strays = paths.filter((path) => !MAY_STAY.some((pattern) => pattern.test(path)))
  return strays.length === 0 ? null : strays.join(', ')
}

const promisesKept: LaterInvariant = (_facts, { promises }) =>
  promises.length === 0 ? null : promises.join('; ')

const AFTERWARDS: readonly (readonly [InvariantName, LaterInvariant])[] = [
  ['the journal knew of what was written', journalKnew],
  ['the world converged', converged],
  ['each change happened as a whole or not at all', whole],
  ['nothing acknowledged is lost', nothingLost],
  ['the file is the newest release', worldIsReleased],
  ['the journal is closed', journalClosed],
  ['no drift but what is pending', onlyPending],
  ['a second pass writes nothing', quiet],
  ['one audit row for each change', audited],
  ['what a stranger wrote is kept, and nothing else', onlyStrangersKept],
  ['nothing is left lying about', tidy],
  ['the database keeps its promises', promisesKept],
]
