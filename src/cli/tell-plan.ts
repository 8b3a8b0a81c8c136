/** A plan for people: rows, actions of every component with their values, what stands against it, and the diff. */
import { visible } from '../kernel/text/diff.ts'
import { isEmptyPlan, type Plan, type PlannedAction } from '../model/plan.ts'
import { coloured, styled, table, type Terminal } from './terminal.ts'

const SIGN = { add: '+', create: '+', update: '~', remove: '-', delete: '-' } as const
const STYLE = { '+': 'green', '~': 'yellow', '-': 'red' } as const

/** What is written may be served otherwise, which no plan says. */
const NOTHING = 'Nothing to do: what the plan asks for is written. Whether it is served: plumbline drift.'
const UNKNOWN = 'Unknown: not everything could be read, and in the rest there is nothing to do.'

export function tellPlan(found: Plan, terminal: Terminal): void {
  if (isEmptyPlan(found)) terminal.out(found.complete ? NOTHING : UNKNOWN)
  const rows = found.rows.map((row) => [
    SIGN[row.change],
    row.domain,
    `release revision ${row.revision ?? 'none'}`,
  ])
  const actions = found.actions.map((action) => [
    SIGN[action.verb],
    action.item,
    `${action.component}: ${action.verb} (${action.reason}${action.of_neighbour ? ' of a neighbour' : ''})${valuesOf(action)}`,
  ])
  for (const line of table([...rows, ...actions]))
    terminal.out(styled(STYLE[line[0] as '+'] ?? 'reset', `  ${line}`))
  tellCautions(found, terminal)
  if (found.unified_diff !== null) terminal.out(`\n${coloured(found.unified_diff).trimEnd()}`)
}

/** What stands against a plan, and what nobody could look at. */
export function tellCautions(found: Plan, terminal: Pick<Terminal, 'note'>): void {
  for (const { rule, message, confirmable } of found.guards)
    terminal.note(`guard ${rule}: ${message}${confirmable ? ` Lift it with --confirm ${found.hash}` : ''}`)
  for (const { domain, message } of found.refused) terminal.note(`refused: ${domain}: ${message}`)
  for (const warning of found.warnings) terminal.note(`warning: ${warning}`)
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
