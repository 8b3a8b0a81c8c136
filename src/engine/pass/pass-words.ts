/** What a pass did, in one sentence for whoever watches: of which part, of which names, and why. Pure. */
import type { Outcome, Report } from '../../model/report.ts'

/** So many items are named before a count stands for the rest. */
const MAX_NAMED = 3

export function passWords({ key, outcome, failure, items = [], undone }: Report): string {
  if (failure !== null) return failure.message.includes(key) ? failure.message : `${key}: ${failure.message}`
  const about = named(items.flatMap(({ item }) => (item === undefined || item === key ? [] : [item])))
  const behind = about === '' ? '' : `: ${about}`
  if (outcome === 'repaired')
    return `${key} ${undone !== undefined ? 'was changed by somebody else, which is undone' : 'is brought to what was released'}${behind}.`
  return `${key} ${WORDS[outcome] ?? outcome}${behind}.`
}

export const recoveredWords = ({ key }: Pick<Report, 'key'>): string => `${key} is as it should be again.`

const WORDS: Readonly<Partial<Record<Outcome, string>>> = {
  left_drifting: 'differs from what was released, and the mode only reports it',
}

function named(items: readonly string[]): string {
  const all = [...new Set(items)]
  const rest = all.length - MAX_NAMED
  return `${all.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
