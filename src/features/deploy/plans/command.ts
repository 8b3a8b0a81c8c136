/** `plumbline plan`: what a deploy would do, before it does it. */
import { Misuse } from '../../../cli/misuse.ts'
import { isEmptyPlan, type Plan } from '../../../model/plan.ts'
import { expectGood } from '../../../cli/api.ts'
import { EXIT } from '../../../cli/exit-codes.ts'
import { tellPlan } from '../../../cli/tell-plan.ts'
import type { Verb } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'

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
    if (words.length > 1) throw new Misuse('Name at most one domain.')
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
