/**
 * What must hold after a death, wherever it came. Each invariant is a pure predicate over the facts: null, or what is
 * wrong. `stage n` is what stands after the n-th step of the flow.
 */
import type { Aftermath, NextStart } from './aftermath.ts'
import type { Line } from './ledger.ts'
import type { Reference, Stage } from './reference.ts'
import { sameButCounters, sameState } from './state.ts'

export interface Facts {
  readonly reference: Reference
  /** Steps whose answers the child had noted. */
  readonly acknowledged: number
  /** The stranger had been there. */
  readonly edited: boolean
  readonly aftermath: Aftermath
  /** False when calls were repeated: counters and audit rows may then be more. */
  readonly exact: boolean
}

export const INVARIANT_NAMES = [
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
  'a hand edit is kept as evidence',
  'nothing is left lying about',
] as const
export type InvariantName = (typeof INVARIANT_NAMES)[number]

export interface Broken {
  readonly name: InvariantName
  readonly detail: string
}

export function brokenIn(facts: Facts): Broken[] {
  const { next, refused } = facts.aftermath
  const early = BEFORE_THE_START.flatMap(([name, fault]) => brokenBy(name, fault(facts)))
  if (next === null) return [...early, { name: 'the next start succeeds', detail: refused ?? '' }]
  return [...early, ...AFTER_THE_START.flatMap(([name, fault]) => brokenBy(name, fault(facts, next)))]
}

/** How many acknowledged steps the database no longer shows. */
export function lostIn(facts: Facts): number {
  const stage = facts.aftermath.next === null ? null : stageOf(facts, facts.aftermath.next)
  return stage === null ? 0 : Math.max(0, facts.acknowledged - 1 - stage)
}

export function factsOf(
  reference: Reference,
  { ledger, aftermath, exact }: { ledger: readonly Line[]; aftermath: Aftermath; exact: boolean },
): Facts {
  const steps = new Set(ledger.flatMap((line) => (line.kind === 'acknowledged' ? [line.step] : [])))
  const edited = ledger.some((line) => line.kind === 'hand-edited')
  return { reference, acknowledged: steps.size, edited, aftermath, exact }
}

const brokenBy = (name: InvariantName, detail: string | null): Broken[] =>
  detail === null ? [] : [{ name, detail }]

const short = (digest: string | null | undefined): string => digest?.slice(0, 12) ?? 'nothing'

/** What the last acknowledged step left, and what the one after it was about to leave. */
const possible = ({ reference, acknowledged }: Facts): readonly Stage[] =>
  reference.stages.slice(Math.max(0, acknowledged - 1), acknowledged + 1)

/** The latest stage that the database shows, or null when it shows none of them. */
function stageOf({ reference, exact }: Facts, { state }: NextStart): number | null {
  const same = exact ? sameState : sameButCounters
  const found = reference.stages.findLastIndex((stage) => same(stage.state, state))
  return found < 0 ? null : found
}

type EarlyInvariant = (facts: Facts) => string | null

const neverTorn: EarlyInvariant = (facts) => {
  const { file_found } = facts.aftermath
  if (file_found === null && facts.acknowledged === 0) return null
  if (facts.edited && file_found === facts.reference.hand_edit) return null
  return possible(facts).some(({ file }) => file === file_found)
    ? null
    : `the file found is ${short(file_found)}, which is no release that could be there`
}

const BEFORE_THE_START: readonly (readonly [InvariantName, EarlyInvariant])[] = [
  ['the file was never torn', neverTorn],
]

type Invariant = (facts: Facts, next: NextStart) => string | null

/** The bytes found are either recorded as applied, or an open step names them as its start or its end. */
const journalKnew: Invariant = ({ aftermath, edited, reference, exact }, { open_steps, applied }) => {
  const { file_found } = aftermath
  if (!exact || file_found === null || (edited && file_found === reference.hand_edit)) return null
  const known = [...applied.map(({ digest }) => digest), ...open_steps.flatMap((s) => [s.before, s.after])]
  return known.includes(file_found)
    ? null
    : `nobody recorded that ${short(file_found)} was written; known: ${known.map(short).join(', ')}`
}

const converged: Invariant = (_facts, { converged, reports }) =>
  converged ? null : reports.map(({ outcome, failure }) => `${outcome}: ${failure?.message}`).join('; ')

const whole: Invariant = (facts, next) => {
  const names = next.state.records.map(({ domain }) => domain)
  if (new Set(names).size < names.length) return `a domain is there twice: ${names.join(', ')}`
  const stage = stageOf(facts, next)
  if (stage === null) return `the database is at no stage of the flow: ${JSON.stringify(next.state)}`
  return stage <= facts.acknowledged ? null : `the database is at stage ${stage}, and nobody asked for that yet`
}

const nothingLost: Invariant = (facts) => {
  const lost = lostIn(facts)
  return lost === 0 ? null : `${lost} acknowledged steps of ${facts.acknowledged} are gone`
}

const worldIsReleased: Invariant = (facts, next) => {
  const stage = stageOf(facts, next)
  const wanted = stage === null ? next.state.routes : facts.reference.stages[stage]!.file
  return next.file === wanted && next.file === next.state.routes
    ? null
    : `the file is ${short(next.file)}, the release ${short(next.state.routes)}, wanted is ${short(wanted)}`
}

const journalClosed: Invariant = (_facts, { left_open }) =>
  left_open === 0 ? null : `${left_open} steps are open`

const onlyPending: Invariant = (_facts, { drift: { drift, causes, pending } }) => {
  const others = causes.filter((cause) => cause !== 'pending_deploy')
  return drift === pending.length > 0 && others.length === 0
    ? null
    : `drift is ${drift}, pending are ${pending.join(', ') || 'none'}, causes are ${causes.join(', ') || 'none'}`
}

const quiet: Invariant = (_facts, { rewritten }) => (rewritten.length === 0 ? null : rewritten.join(', '))

const audited: Invariant = (facts, next) => {
  const stage = stageOf(facts, next)
  const wanted = stage === null ? null : facts.reference.stages[stage]!.audit
  if (!facts.exact || wanted === null) return null
  return next.audit.join() === wanted.join() ? null : `the trail is ${next.audit.join(', ')}`
}

const evidenceKept: Invariant = ({ edited, reference }, { evidence }) =>
  !edited || evidence.includes(reference.hand_edit) ? null : 'the stranger’s bytes are gone'

const MAY_STAY = [
  /^(plumbline\.db|lock\.db|installation\.json|api-key)$/,
  /^traefik(\/routes\.yml)?$/,
  /^\.traefik\.plumbline(\/evidence-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8})?$/,
]

const tidy: Invariant = (_facts, { paths }) => {
  const strays = paths.filter((path) => !MAY_STAY.some((pattern) => pattern.test(path)))
  return strays.length === 0 ? null : strays.join(', ')
}

const AFTER_THE_START: readonly (readonly [InvariantName, Invariant])[] = [
  ['the journal knew of what was written', journalKnew],
  ['the world converged', converged],
  ['each change happened as a whole or not at all', whole],
  ['nothing acknowledged is lost', nothingLost],
  ['the file is the newest release', worldIsReleased],
  ['the journal is closed', journalClosed],
  ['no drift but what is pending', onlyPending],
  ['a second pass writes nothing', quiet],
  ['one audit row for each change', audited],
  ['a hand edit is kept as evidence', evidenceKept],
  ['nothing is left lying about', tidy],
]
