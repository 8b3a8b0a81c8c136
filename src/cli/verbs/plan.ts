/** `plumbline plan`: what a deploy would do, before it does it. */
import type { Plan } from '../../model/plan.ts'
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import { deployPath } from '../find-domain.ts'
import { coloured, styled, table, type Terminal } from '../terminal.ts'
import type { Verb } from '../verb.ts'
import { withApi } from '../with-api.ts'

export const plan: Verb = {
  name: 'plan',
  takes: '[DOMAIN]',
  help: 'Show what deploying one domain, or everything, would do. Exit code 0 nothing, 2 something, 3 unknown.',
  options: {},
  async run(context) {
    const { words, terminal } = context
    const answer = await withApi(context, async (api) => {
      const path = await deployPath(api, words[0])
      return expectGood<{ plan: Plan }>(api, { method: 'POST', path: `${path}?dry_run=true` })
    })
    if (terminal.json) terminal.out(JSON.stringify(answer.plan, null, 2))
    else tellPlan(answer.plan, terminal)
    if (!answer.plan.complete) return EXIT.unknown
    return answer.plan.rows.length + answer.plan.actions.length > 0 ? EXIT.drift : EXIT.ok
  },
}

const SIGN = { add: '+', create: '+', update: '~', remove: '-', delete: '-' } as const
const STYLE = { '+': 'green', '~': 'yellow', '-': 'red' } as const

export function tellPlan(found: Plan, terminal: Terminal): void {
  if (found.rows.length + found.actions.length === 0)
    terminal.out('Nothing to do: the world is what the plan asks for.')
  const rows = found.rows.map((row) => [
    SIGN[row.change],
    row.domain,
    `release revision ${row.revision ?? 'none'}`,
  ])
  const actions = found.actions.map(({ verb, item, component, reason }) => [
    SIGN[verb],
    item,
    `${component}: ${verb} (${reason})`,
  ])
  for (const line of table([...rows, ...actions]))
    terminal.out(styled(STYLE[line[0] as '+'] ?? 'reset', `  ${line}`))
  for (const warning of found.warnings) terminal.note(`warning: ${warning}`)
  for (const input of found.inputs.filter(({ digest }) => digest === null))
    terminal.note(`unknown: ${input.component} could not be read: ${input.detail}`)
  if (found.unified_diff !== null) terminal.out(`\n${coloured(found.unified_diff).trimEnd()}`)
}
