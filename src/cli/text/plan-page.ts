/** A plan as a Markdown page, as a pull request shows it. */
import { visible } from '../../kernel/text/visible.ts'
import type { FieldChanges } from '../../model/domain/field-changes.ts'
import { isEmptyPlan, type Plan } from '../../model/plan.ts'
import { shownValue } from './shown-value.ts'
import { countsOf, leftWords, vanishing } from './tell-plan.ts'
import { mergedWarnings } from './tell-warnings.ts'
import { shortTime } from './terminal.ts'

/** Where the plan can be applied as it is. */
export interface KeptAs {
  readonly id: string
  /** RFC 3339. */
  readonly expires_at: string
}

/** What stands in the page beside the plan. */
export interface PageFacts {
  /** Left out for one that is only shown. */
  readonly kept?: KeptAs
  /** The command that carries out this plan and no other; left out where none does but that of the kept plan. */
  readonly command?: string | undefined
  /** That makes a new one. */
  readonly again: string
  /** There is something to do that the plan does not show. */
  readonly asks_anyway?: boolean
  /** What is saved by it and no row of the plan says, a line each. */
  readonly saves?: readonly string[]
}

export function planPage(plan: Plan, facts: PageFacts): string {
  const { rows, actions, guards, refused, left, warnings, inputs, unified_diff, complete, hash } = plan
  const unread = inputs.filter(({ digest }) => digest === null)
  return [
    '# Plan',
    isEmptyPlan(plan)
      ? complete
        ? left.length > 0
          ? 'Nothing is done now.'
          : facts.asks_anyway === true
            ? 'Saved alone: outside nothing changes by it.'
            : 'Nothing to do.'
        : 'Not everything could be read.'
      : `**${countsOf(plan)}**`,
    ...listed('No longer served', vanishing(plan).map(code)),
    ...listed(
      'Records',
      rows.map(
        ({ change, domain, revision, renamed_from, fields }) =>
          `${change} ${code(domain)}${revision === null ? '' : `, revision ${revision}`}${renamed_from === undefined ? '' : `, was ${code(renamed_from)}`}${fieldItems(fields)}`,
      ),
    ),
    ...listed('Saved', (facts.saves ?? []).map(code)),
    ...listed(
      'Outside',
      actions.map(
        ({ verb, item, component, reason, before, after }) =>
          `${verb} ${code(item)} (${component}, ${reason})${valuesOf(before, after)}`,
      ),
    ),
    ...listed(
      'Guards',
      guards.map(({ rule, message }) => `${code(rule)}: ${plain(message)}`),
    ),
    ...listed(
      'Refused',
      refused.map(({ domain, message }) => `${code(domain)}: ${plain(message)}`),
    ),
    ...listed(
      'Left alone',
      left.map((one) => plain(leftWords(one, (time) => time))),
    ),
    ...listed('Warnings', mergedWarnings(warnings).map(plain)),
    ...listed(
      'Could not be read',
      unread.map(({ component, detail }) => `${component}: ${plain(detail ?? '')}`),
    ),
    ...(unified_diff === null ? [] : ['## Difference', fenced(visible(unified_diff).trimEnd())]),
    ...((isEmptyPlan(plan) && facts.asks_anyway !== true) || !plan.applyable ? [] : applying(facts)),
    `Hash: ${code(hash)}`,
  ]
    .join('\n\n')
    .concat('\n')
}

function applying({ kept, command, again }: PageFacts): readonly string[] {
  const by_hash =
    command === undefined
      ? []
      : [
          shell(command),
          `does ${kept === undefined ? 'exactly this' : 'the same'} at any time, as long as neither the records nor what is outside have changed; else it is refused, and nothing is changed.`,
        ]
  const by_id =
    kept === undefined
      ? []
      : [shell(`plumbline apply ${kept.id}`), `does exactly this, once, until ${shortTime(kept.expires_at)}.`]
  return [
    '## Apply',
    ...by_id,
    ...by_hash,
    `A new plan: ${code(again)}. On another host ${by_id.length + by_hash.length === 0 ? 'it' : 'each'} takes \`--url\` of this daemon.`,
  ]
}

const shell = (command: string): string => `\`\`\`sh\n${command}\n\`\`\``

/** Below the item of the record. */
const fieldItems = (fields: FieldChanges | undefined): string =>
  Object.entries(fields ?? {})
    .map(
      ([name, { before, after }]) =>
        `\n  - ${code(name)}: ${code(shownValue(before))} → ${code(shownValue(after))}`,
    )
    .join('')

const listed = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join('\n')]

function valuesOf(before: string | null, after: string | null): string {
  const short = [before, after].filter((value) => value !== null && value !== '' && !value.includes('\n'))
  return short.length === 0 ? '' : `: ${short.map((value) => code(value!.slice(0, 120))).join(' → ')}`
}

/** Longer than any run of ticks within. */
function fence(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? []
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)))
}

function code(text: string): string {
  const ticks = fence(text, 1)
  const line = visible(text).replaceAll('\n', ' ')
  return ticks.length === 1 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`
}

const fenced = (text: string): string => `${fence(text, 3)}diff\n${text}\n${fence(text, 3)}`

/** Marks of Markdown and HTML in a sentence of somebody else's are letters. */
const plain = (text: string): string =>
  visible(text)
    .replaceAll('\n', ' ')
    .replace(/[\\`*_{}[\]<>#|!]/g, (mark) => `\\${mark}`)
