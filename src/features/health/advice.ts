/**
 * What helps against what a look has found, and how people are told of it. Pure. A check says what it knows better; for all
 * others it follows from how the part is:
 *
 *   last look   trouble           told
 *   unknown     unknown_lasting   when it lasts; until then nothing is over
 *   drifting    drift_lasting     when it lasts
 *   wrong       failing           when it lasts
 *
 * Of what is kept true, by the reason of its condition:
 *
 *   drifting                      drift_lasting         when it lasts
 *   drifting, all not loaded      not_loaded            when it lasts
 *   unfinished                    unfinished_lasting    when it lasts
 *   contested                     contested             at once: what is put back all the time, a person has to stop
 *   refused                       repair_refused        at once
 *   failing                       failing               when it lasts
 *   unknown, otherwise            unknown_lasting       when it lasts
 *   suspended, waits for a deploy                       nobody is told
 */
import type { ConditionReason } from '../../model/condition.ts'
import { AWAITS_DEPLOY } from '../../model/drift.ts'
import type { HealthComponent, HealthFinding, HealthReason } from '../../model/health.ts'
import type { Mode } from '../../model/mode.ts'
import type { HealthCheck } from '../../core/check.ts'
import type { KeptWords, PartAdvice } from '../../core/finding.ts'

type State = Pick<HealthComponent, 'ok' | 'drift' | 'reason'>

/** Null while it is as it should be. */
export function adviceOn(
  part: HealthFinding & Pick<HealthComponent, 'component'>,
  check: Pick<HealthCheck, 'advises'>,
): PartAdvice | null {
  if (part.ok && part.drift === false) return null
  return { ...usual(part), ...check.advises?.(part) }
}

const usual = ({ drift, reason }: State): PartAdvice => {
  if (drift === null) return { ...UNKNOWN, remedy: UNSEEN[reason] ?? UNREADABLE }
  return drift ? DRIFTING : FAILING
}

const UNSEEN: Readonly<Partial<Record<HealthReason, string>>> = {
  never_looked: 'A daemon that runs looks at it by itself.',
  stale:
    'It is looked at again by itself; where that does not come, the log of the daemon says what holds it up.',
}
const UNREADABLE = 'Make readable what could not be read; it is looked at again by itself.'

const UNKNOWN = {
  kind: 'unknown_lasting',
  severity: 'notice',
  alert_after_ms: null,
  is_reported_apart: false,
} as const

const DRIFTING: PartAdvice = {
  kind: 'drift_lasting',
  severity: 'notice',
  alert_after_ms: null,
  remedy: '"plumbline status" shows what is known of it.',
  is_reported_apart: false,
}

const FAILING: PartAdvice = { ...DRIFTING, kind: 'failing', severity: 'warning' }

export interface KeptState {
  readonly reason: HealthReason
  /** Of what differs. */
  readonly causes: readonly string[]
  /** Of what is repaired here. */
  readonly mode: Mode
  /** What the target says itself. */
  readonly words: KeptWords | undefined
}

/** Null while it is as it should be, as far as that is kept true. */
export function adviceOnKept({ reason, causes, mode, words }: KeptState): PartAdvice | null {
  if (reason === 'refused' && words?.refused !== undefined)
    return { ...words.refused, is_reported_apart: false }
  if (reason === 'in_sync') return null
  if (reason === 'drifting') return onDrift(causes, mode)
  return BY_REASON[reason] ?? usual({ ok: false, drift: null, reason })
}

function onDrift(causes: readonly string[], mode: Mode): PartAdvice {
  const open = causes.filter((cause) => !AWAITS_DEPLOY.has(cause))
  if (open.length > 0 && open.every((cause) => cause === 'not_loaded')) return NOT_LOADED
  if (causes.length > 0 && open.length === 0) return { ...DRIFTING, remedy: DEPLOY_IT }
  if (open.includes('foreign_owner')) return { ...DRIFTING, remedy: FOREIGN }
  return { ...DRIFTING, remedy: mode === 'observe' ? OBSERVED : REPAIRED }
}

const DEPLOY_IT = 'Deploy it: plumbline plan shows what that does.'
const FOREIGN = 'Move away what is not ours, or adopt it.'
const OBSERVED = 'The mode is observe: a deploy repairs it.'
const REPAIRED = 'It is repaired by itself; plumbline drift shows what and why.'

/** It is written as it should be, and whoever reads it runs something else. */
const NOT_LOADED: PartAdvice = {
  kind: 'not_loaded',
  severity: 'warning',
  alert_after_ms: null,
  remedy:
    'It is written: the log of what reads it says why it was not taken; restart that, or deploy again, after that.',
  is_reported_apart: false,
}

const BY_REASON: Readonly<Partial<Record<HealthReason, PartAdvice>>> = {
  pending_deploy: { ...DRIFTING, remedy: DEPLOY_IT, is_reported_apart: true },
  not_rendered: { ...DRIFTING, remedy: DEPLOY_IT, is_reported_apart: true },
  suspended: {
    ...UNKNOWN,
    remedy:
      'It is left alone until the suspension ends, or until somebody ends it: "plumbline mode set repair", with the component where only that is suspended.',
    is_reported_apart: true,
  },
  unfinished: {
    ...DRIFTING,
    kind: 'unfinished_lasting',
    remedy: 'It goes on by itself; "plumbline drift" shows what it waits for.',
  },
  failing: {
    ...FAILING,
    remedy: 'It is tried again by itself; the message and the log say what is in the way.',
  },
  refused: {
    kind: 'repair_refused',
    severity: 'warning',
    alert_after_ms: 0,
    remedy: 'Only a person can decide this: "plumbline plan" shows what would be done and how to confirm it.',
    is_reported_apart: false,
  },
  contested: {
    kind: 'contested',
    severity: 'warning',
    alert_after_ms: 0,
    remedy:
      'Find out who writes there as well. It is over an hour after their last change, and at once with a deploy.',
    is_reported_apart: false,
  },
} satisfies Partial<Record<ConditionReason, PartAdvice>>
