/** `plumbline plan`: what a deploy would do, before it does it. */
import { isEmptyPlan, type Plan } from '../../../model/plan.ts'
import { type Api, expectGood } from '../../../cli/api.ts'
import { EXIT } from '../../../cli/exit-codes.ts'
import { Failure } from '../../../kernel/failure.ts'
import { assertDomains, domainId, domainIn } from '../../../cli/find-domain.ts'
import { notSetUpHere } from '../../../cli/not-set-up.ts'
import { written } from '../../../cli/settle.ts'
import { tellPlan } from '../../../cli/text/tell-plan.ts'
import { tellProse } from '../../../cli/text/table.ts'
import { shortTime, tellAs, type Terminal } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { assertComponent } from '../../../cli/words/component.ts'
import { textOf } from '../../../cli/words/given.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import type { KeptPlan } from '../../../http/common-views.ts'

export const plan: Verb = {
  name: 'plan',
  help: 'Shows what a deploy would do, and keeps the plan.',
  notes: [
    'Made for CI: exit code 0 nothing to do, 2 something, 3 unknown, also where nobody answers at --url; 1 where nothing could be planned, as of a name that there is not. The plan is kept for a quarter of an hour.',
  ],
  forms: [
    {
      words: '[DOMAIN…]',
      help: 'Plans a deploy of domains by name or id, or of everything.',
      options: {
        component: { value: 'NAME', help: 'Plans only what this component would repair, as dns.' },
        out: {
          value: 'FILE',
          short: 'o',
          help: 'Writes the plan into this file as Markdown, for a pull request.',
        },
      },
      examples: [
        ['plan', 'What a deploy of everything would do.'],
        ['plan app.example.com --out plan.md', 'The plan of one domain as a page.'],
      ],
      is_long: true,
      is_look: () => true,
      run: planned,
    },
  ],
}

async function planned(context: VerbContext): Promise<number> {
  const { words, terminal, options } = context
  const component = textOf(options, 'component')
  assertDomains(words)
  if (component !== undefined) assertComponent(component)
  const scope = { words, component }
  const [kept, unseen] = await withApi(context, (api) => made(api, scope))
  const command = deployLine(scope, kept.plan)
  await written(context, kept.plan, { kept, command })
  tellAs(terminal, kept, () => tellKept(kept, command, terminal))
  if (unseen !== null) terminal.note(unseen)
  if (!kept.plan.complete) return EXIT.unknown
  if (unseen !== null && isEmptyPlan(kept.plan)) return EXIT.unknown
  return isEmptyPlan(kept.plan) && kept.plan.left.length === 0 ? EXIT.ok : EXIT.drift
}

interface Scope {
  readonly words: readonly string[]
  readonly component: string | undefined
}

/** The plan, and what of everything is not set up here. */
async function made(api: Api, { words, component }: Scope): Promise<readonly [KeptPlan, string | null]> {
  const [word] = words
  const body = {
    ...(word !== undefined &&
      (words.length === 1 ? { domain: domainIn(word) } : { domains: await idsOf(api, words) })),
    ...(component !== undefined && { component }),
  }
  try {
    const kept = await expectGood<KeptPlan>(api, { method: 'POST', path: '/api/plans', body })
    return [kept, component === undefined ? await notSetUpHere(api) : null]
  } catch (error) {
    // With the names that are near.
    if (word !== undefined && error instanceof Failure && error.details.facts?.['status'] === 404)
      await domainId(api, word)
    throw error
  }
}

/** @param command that does the same later */
function tellKept({ id, plan, expires_at }: KeptPlan, command: string | undefined, terminal: Terminal): void {
  tellPlan(plan, terminal)
  if (isEmptyPlan(plan) || !plan.applyable) return
  // A command is copied whole, so its line is not broken.
  terminal.out(`\nplumbline apply ${id}`)
  tellProse(terminal, `does exactly this, until ${shortTime(expires_at)}.`)
  if (command === undefined) return
  terminal.out(command)
  tellProse(terminal, 'does the same after that time, too, unless something has changed by then.')
}

/** The command that does the same by the hash of the plan, also when it is kept no more; several domains have none. */
function deployLine({ words, component }: Scope, { hash }: Plan): string | undefined {
  if (component !== undefined) return `plumbline reconcile ${component} --confirm ${hash}`
  const [word] = words
  if (words.length > 1) return undefined
  return `plumbline deploy ${word === undefined ? '--all' : shellWord(word)} --confirm ${hash}`
}

async function idsOf(api: Api, words: readonly string[]): Promise<readonly number[]> {
  const ids: number[] = []
  for (const word of words) ids.push(await domainId(api, word))
  return ids
}
