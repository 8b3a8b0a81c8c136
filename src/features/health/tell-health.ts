/**
 * The health page for people: the verdict, then a line for each part with its cause, what comes next, and how old that is.
 * Of the database's rules only those are told that do not hold.
 */
import type { HealthAnswer, PresentedComponent, PresentedInvariant } from './read-health.ts'
import { shortTime, styled, type Terminal } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { isSuspendedWords, ONLY_REPORTS } from '../../model/mode.ts'

const MAX_DIFFERENCES = 5

/** @param is_kept whether a daemon keeps it so: what nobody keeps is never green */
export function tellHealth(page: HealthAnswer, terminal: Terminal, is_kept = true): void {
  if (page.ok && !is_kept)
    tellProse(
      terminal,
      styled('yellow', `${page.summary.replace(/\.$/, '')} just now, and no daemon keeps them so.`),
    )
  else tellProse(terminal, styled(toneOf(page), page.summary))
  const configured = page.components.filter((one) => one.configured)
  const wrong = page.invariants.filter(({ holds }) => holds !== true)
  const parts = configured.map((one) => ({
    cells: partLine(one, page.observed_at),
    style: toneOf(one),
    below: differenceLines(one),
  }))
  const rules = isAllUnknown(page.invariants)
    ? [{ cells: noneKnown(page.invariants), style: 'yellow' as const }]
    : wrong.map((one) => ({ cells: ruleLine(one), style: toneOfRule(one) }))
  const whole = { cells: allHold(page.invariants.length), style: 'green' as const }
  tellTable(terminal, [...parts, ...rules, ...(wrong.length === 0 ? [whole] : [])], { signs: true })
  const absent = page.components.filter((one) => !one.configured).map(({ name }) => name)
  if (absent.length > 0) tellProse(terminal, styled('dim', `not set up: ${absent.join(', ')}`))
}

type Tone = 'green' | 'yellow' | 'red'

const toneOf = (part: Pick<PresentedComponent, 'ok' | 'drift'> & { readonly mode?: string | null }): Tone => {
  // What a person has said may differ is ok, and differs all the same.
  if (part.ok) return part.drift === true ? 'yellow' : 'green'
  return isKnownWrong(part) ? 'red' : 'yellow'
}

/** What is suspended and did not differ at its last look is not known: nobody keeps it. */
export const isKnownWrong = ({
  ok,
  drift,
  mode = null,
}: Pick<PresentedComponent, 'ok' | 'drift'> & { readonly mode?: string | null }): boolean =>
  !ok && drift !== null && (drift || mode !== 'suspend')

const toneOfRule = ({ holds }: PresentedInvariant): Tone =>
  toneOf({ ok: holds === true, drift: holds === null ? null : false })

const WORDS: Readonly<Record<Tone, string>> = { green: 'ok', yellow: 'unknown', red: 'wrong' }

function partLine(part: PresentedComponent, now: string): string[] {
  const tone = toneOf(part)
  const word = part.drift === true ? 'drift' : WORDS[tone]
  return [word, part.name, part.cause ?? part.reason, ageOf(part.observed_at, now), sentence(part)]
}

/** What it says, and, where it is not well, what comes next. */
function sentence(part: PresentedComponent): string {
  const { component, ok, message, mode, suspended_until, next_attempt_at } = part
  if (ok) return message
  if (suspended_until !== null) {
    const end = `until ${shortTime(suspended_until)}.`
    return isSuspendedWords(component, message) ? `${message} It is so ${end}` : `${message} Suspended ${end}`
  }
  const only = mode === 'observe' && !message.includes(ONLY_REPORTS) ? ` The ${ONLY_REPORTS}.` : ''
  return next_attempt_at === null
    ? `${message}${only}`
    : `${message}${only} Next look at ${shortTime(next_attempt_at)}.`
}

const allHold = (count: number): string[] => ['ok', 'invariants', 'hold', '', `All ${count} of the database.`]

/** One look asks all of them: what was in its way is told once. */
const isAllUnknown = (rules: readonly PresentedInvariant[]): boolean =>
  rules.length > 1 && rules.every(({ holds, detail }) => holds === null && detail === rules[0]!.detail)

const noneKnown = (rules: readonly PresentedInvariant[]): string[] => [
  'unknown',
  'invariants',
  'unknown',
  '',
  `All ${rules.length} of the database. ${rules[0]!.detail ?? ''}`.trim(),
]

const ruleLine = (rule: PresentedInvariant): string[] => [
  WORDS[toneOfRule(rule)],
  rule.name,
  rule.holds === true ? 'holds' : rule.holds === null ? 'unknown' : 'broken',
  '',
  rule.detail ?? rule.promise,
]

function differenceLines(part: PresentedComponent): readonly string[] {
  if (part.ok) return []
  const { differences, causes } = part
  const all = Object.values(causes).reduce((sum, count) => sum + count, 0)
  const shown = differences.slice(0, MAX_DIFFERENCES)
  const rest = Math.max(all, differences.length) - shown.length
  return [
    ...shown.map(({ cause, item, detail }) => `     ${cause}  ${item}  ${detail}`),
    ...(rest > 0 ? [`     and ${rest} more`] : []),
  ]
}

/** `12 s`, `3 min`, `2 h`, `5 d`. */
function ageOf(at: string | null, now: string): string {
  if (at === null) return 'never'
  const s = Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000))
  if (s < 120) return `${s} s`
  if (s < 7200) return `${Math.round(s / 60)} min`
  return s < 172_800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86_400)} d`
}
