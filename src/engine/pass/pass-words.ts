/** What a pass did, in one sentence for whoever watches: of which part, of which names, and why. Pure. */
import type { Outcome, Report } from '../../model/report.ts'
import { ONLY_REPORTS } from '../../model/mode.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

/** So many items are named before a count stands for the rest. */
const MAX_NAMED = 3

export function passWords({ key, outcome, failure, items = [], undone }: Report): string {
  if (failure !== null) return failure.message.includes(key) ? failure.message : `${key}: ${failure.message}`
  const others = new Set(items.flatMap(({ item }) => (item === undefined || item === key ? [] : [item])))
  const about = firstNames([...others], MAX_NAMED)
  const behind = about === '' ? '' : `: ${about}`
  if (outcome === 'repaired')
    return `${key} ${undone !== undefined ? 'was changed by somebody else, which is undone' : 'is brought to what was released'}${behind}.`
  return `${key} ${WORDS[outcome] ?? outcome}${behind}.`
}

export const recoveredWords = ({ key }: Pick<Report, 'key'>): string => `${key} is as it should be again.`

const WORDS: Readonly<Partial<Record<Outcome, string>>> = {
  left_drifting: `differs from what was released, and the ${ONLY_REPORTS}`,
}
