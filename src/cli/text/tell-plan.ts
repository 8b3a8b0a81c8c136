/**
 * A plan for people: records and the actions of every component with their values, what stands against it, the diff, and in the
 * end one line with the counts and the hosts that vanish.
 */
import { isoTime } from '../../kernel/clock.ts'
import { asSentence } from '../../kernel/text/sentence.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { FieldChanges } from '../../model/domain/field-changes.ts'
import { isEmptyPlan, type LeftByMode, type Plan, type PlannedAction } from '../../model/plan.ts'
import { fieldLines } from './shown-value.ts'
import { tellProse, tellTable } from './table.ts'
import { tellWarnings } from './tell-warnings.ts'
import { coloured, shortTime, styled, type Terminal } from './terminal.ts'

const SIGN = { add: '+', create: '+', update: '~', remove: '-', delete: '-' } as const
const STYLE = { '+': 'green', '~': 'yellow', '-': 'red' } as const

/** What is written may be served otherwise, which no plan says. */
const NOTHING = 'Nothing to do. Whether the proxy serves what is written: plumbline drift.'
const UNREAD = 'Unknown: not everything could be read.'
const UNKNOWN = 'Unknown: not everything could be read, and in the rest there is nothing to do.'

const LEFT = 'Nothing would be changed now, and what differs is left alone:'

function emptyWords({ complete, left }: Plan): string {
  if (!complete) return left.length > 0 ? UNREAD : UNKNOWN
  return left.length > 0 ? LEFT : NOTHING
}

/** @param time as it is shown */
export function leftWords(
  { key, mode, reason, until }: LeftByMode,
  time: (instant: string) => string,
): string {
  const end = until === null ? 'until it is taken back' : `until ${time(isoTime(until))}`
  const why = reason === '' ? '.' : `: ${asSentence(visible(reason))}`
  return `${key} is not as the plan asks for, and ${mode} mode leaves it alone ${end}${why} How it differs: plumbline drift.`
}

export function tellPlan(found: Plan, terminal: Pick<Terminal, 'out' | 'note' | 'width'>): void {
  if (isEmptyPlan(found)) tellProse(terminal, emptyWords(found))
  for (const one of found.left) tellProse(terminal, styled('yellow', leftWords(one, shortTime)))
  tellTable(terminal, planRows(found), { indent: '  ' })
  tellCautions(found, terminal)
  if (found.unified_diff !== null) terminal.out(`\n${coloured(visible(found.unified_diff)).trimEnd()}`)
  if (isEmptyPlan(found)) return
  terminal.out('')
  for (const name of vanishing(found)) tellProse(terminal, styled('red', `${name} will no longer be served.`))
  tellProse(terminal, styled('bold', countsOf(found)))
}

function planRows({ rows, actions }: Plan) {
  const records = rows.map(({ change, domain, revision, renamed_from, fields }) => ({
    cells: [
      SIGN[change],
      domain,
      `${recordWords(change, revision)}${renamed_from === undefined ? '' : `, was ${renamed_from}`}`,
    ],
    style: STYLE[SIGN[change]],
    below: fieldLines(renamed_from === undefined ? fields : otherThanName(fields)).map(visible),
  }))
  const outside = actions.map((action) => ({
    cells: [
      SIGN[action.verb],
      action.item,
      `${action.component}: ${action.verb}${reasonOf(action)}${valuesOf(action)}`,
    ],
    style: STYLE[SIGN[action.verb]],
  }))
  return [...records, ...outside]
}

/** Its row says the old name. */
const otherThanName = (fields: FieldChanges | undefined): FieldChanges =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => name !== 'domain'))

/** A release is what a plan is for; a repair is told apart from it. */
const reasonOf = ({ reason, of_neighbour }: PlannedAction): string =>
  reason === 'release' ? '' : of_neighbour ? ' (repair, for another domain)' : ' (repair)'

/** Whether the record goes, too, is no matter of what is deployed: whoever asks says that. */
const recordWords = (change: Plan['rows'][number]['change'], revision: number | null): string =>
  change === 'remove' || revision === null
    ? 'is no longer served'
    : `goes live as saved (revision ${revision})`

/** `2 to add, 1 to change, 1 to remove.` Of what is done outside; of records alone where nothing is. */
export function countsOf({ rows, actions, refused }: Pick<Plan, 'rows' | 'actions' | 'refused'>): string {
  const signs =
    actions.length > 0 ? actions.map(({ verb }) => SIGN[verb]) : rows.map(({ change }) => SIGN[change])
  const count = (sign: string) => signs.filter((one) => one === sign).length
  const left = refused.length === 0 ? '' : ` ${refused.length} refused.`
  const records =
    actions.length > 0 && rows.length > 0
      ? `${rows.length} ${rows.length === 1 ? 'domain' : 'domains'}. Outside: `
      : ''
  return `${records}${count('+')} to add, ${count('~')} to change, ${count('-')} to remove.${left}`
}

/** Hosts that nobody is served any more. */
export function vanishing({ rows }: Pick<Plan, 'rows'>): readonly string[] {
  const served = new Set(rows.flatMap(({ change, domain }) => (change === 'remove' ? [] : [domain])))
  return rows
    .flatMap(({ change, domain, renamed_from }) =>
      change === 'remove' || renamed_from !== undefined ? [renamed_from ?? domain] : [],
    )
    .filter((name) => !served.has(name))
}

/** What stands against a plan, and what nobody could look at. */
export function tellCautions(found: Plan, terminal: Pick<Terminal, 'note'>): void {
  for (const { rule, message, confirmable } of found.guards)
    terminal.note(
      `guard ${rule}: ${message}${confirmable ? ` If it is meant, repeat the command with --confirm ${found.hash}` : ''}`,
    )
  for (const { domain, message } of found.refused) terminal.note(`refused: ${domain}: ${message}`)
  tellWarnings(found.warnings, terminal)
  for (const input of found.inputs.filter(({ digest }) => digest === null))
    terminal.note(`unknown: ${input.component} could not be read: ${input.detail}`)
}

/** An address, say: what a name leads to is no matter of the diff. */
function valuesOf({ before, after }: PlannedAction): string {
  const values = [before, after]
    .filter((value) => value !== null && value !== '')
    .map((value) => shown(value!))
  return values.length === 0 ? '' : `  ${values.join(' -> ')}`
}

const MAX_VALUE = 120
const shown = (text: string): string => {
  const [line = '', ...more] = visible(text).split('\n')
  return more.length > 0 || line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE)} …` : line
}
