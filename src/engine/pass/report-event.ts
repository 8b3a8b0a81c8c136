/**
 * Which event a pass is worth. Pure. What a component is in (`drift`, `suspended`) is told when it begins; what goes
 * wrong is told each time and merged later; the end of either is told always.
 *
 * | pass                       | after a good one | after trouble          |
 * |----------------------------|------------------|------------------------|
 * | clean                      | nothing          | recovered              |
 * | repaired                   | repaired         | recovered              |
 * | left_drifting, suspended   | that             | that, unless it was so |
 * | refused, failed, unknown   | that, merged     | that, merged           |
 * | left_unfinished            | nothing          | nothing                |
 */
import type { EventKind } from '../../model/event.ts'
import type { Outcome, Report } from '../../model/report.ts'
import { passWords, recoveredWords } from './pass-words.ts'

interface ReportEvent {
  readonly kind: EventKind
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
  /** Events with one name are merged when there are too many of them; null for one that always passes. */
  readonly merge_as: string | null
}

const EVENT_KIND: Readonly<Partial<Record<Outcome, EventKind>>> = {
  left_drifting: 'drift',
  suspended: 'suspended',
  refused: 'refused',
  failed: 'failed',
  unknown: 'unreadable',
}
const LASTING: readonly Outcome[] = ['left_drifting', 'suspended']

/** @param before the outcome of the pass before, or null when this is the first that is known of. */
export function eventOf(report: Report, before: Outcome | null): ReportEvent | null {
  const { outcome } = report
  const event_kind = EVENT_KIND[outcome]
  const had_failed = before !== null && EVENT_KIND[before] !== undefined
  if (event_kind !== undefined)
    return LASTING.includes(outcome) && outcome === before ? null : eventFor(report, event_kind)
  if (outcome === 'left_unfinished') return null
  if (had_failed) return { ...eventFor(report, 'recovered'), message: recoveredWords(report), merge_as: null }
  return outcome === 'repaired' ? eventFor(report, 'repaired') : null
}

function eventFor(report: Report, kind: EventKind): ReportEvent {
  const { component, key, outcome, differences, repaired, release, failure } = report
  const code = failure?.code ?? null
  return {
    kind,
    message: passWords(report),
    facts: { component, key, outcome, release, differences, repaired, code },
    merge_as: `${key} ${kind} ${code ?? ''}`,
  }
}
