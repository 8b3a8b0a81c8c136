/** `plumbline plan`: what a deploy would do, before it does it. */
import { isEmptyPlan, type Plan } from '../../model/plan.ts'
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import { coloured, styled, table, type Terminal } from '../terminal.ts'
import type { Verb } from '../verb.ts'
import { withApi } from '../with-api.ts'

interface KeptPlan {
  readonly id: string
  readonly expires_at: string
  readonly plan: Plan
}

export const plan: Verb = {
  name: 'plan',
  takes: '[DOMAIN]',
  help: 'Show what deploying one domain, or everything, would do. Exit code 0 nothing, 2 something, 3 unknown.',
  options: { component: { type: 'string' } },
  async run(context) {
    const { words, terminal, options } = context
    if (words.length > 1) {
      terminal.note('Name at most one domain.')
      return EXIT.usage
    }
    const component = options['component']
    const scope = {
      ...(words[0] === undefined
        ? {}
        : { domain: /^[0-9]{1,15}$/.test(words[0]) ? Number(words[0]) : words[0] }),
      ...(typeof component === 'string' ? { component } : {}),
    }
    const call = { method: 'POST', path: '/api/plans', body: scope } as const
    const kept = await withApi(context, (api) => expectGood<KeptPlan>(api, call))
    if (terminal.json) terminal.out(JSON.stringify(kept, null, 2))
    else {
      tellPlan(kept.plan, terminal)
      if (!isEmptyPlan(kept.plan) && kept.plan.applyable)
        terminal.note(`\nplumbline apply ${kept.id}   (until ${kept.expires_at})`)
    }
    if (!kept.plan.complete) return EXIT.unknown
    return isEmptyPlan(kept.plan) ? EXIT.ok : EXIT.drift
  },
}

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
  const actions = found.actions.map(({ verb, item, component, reason }) => [
    SIGN[verb],
    item,
    `${component}: ${verb} (${reason})`,
  ])
  for (const line of table([...rows, ...actions]))
    terminal.out(styled(STYLE[line[0] as '+'] ?? 'reset', `  ${line}`))
  for (const { rule, message, confirmable } of found.guards)
    terminal.note(`guard ${rule}: ${message}${confirmable ? ` Lift it with --confirm ${found.hash}` : ''}`)
  for (const { domain, message } of found.refused) terminal.note(`refused: ${domain}: ${message}`)
  for (const warning of found.warnings) terminal.note(`warning: ${warning}`)
  for (const input of found.inputs.filter(({ digest }) => digest === null))
    terminal.note(`unknown: ${input.component} could not be read: ${input.detail}`)
  if (found.unified_diff !== null) terminal.out(`\n${coloured(found.unified_diff).trimEnd()}`)
}
