/** `plumbline apply`: applies a kept plan exactly as it is, once. */
import type { DeploymentResult } from '../../../core/answers.ts'
import type { PlanScope } from '../../../model/plan.ts'
import { Failure } from '../../../kernel/failure.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import { type Api, expectGood } from '../../../cli/api.ts'
import { EXIT, exitCodeAfter } from '../../../cli/exit-codes.ts'
import { Misuse } from '../../../cli/misuse.ts'
import { agreed, isAsked } from '../../../cli/settle.ts'
import { tellDeployment } from '../../../cli/text/tell-deployment.ts'
import { tellPlan } from '../../../cli/text/tell-plan.ts'
import { shownTo } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { textOf } from '../../../cli/words/given.ts'
import type { KeptPlan } from '../../../http/common-views.ts'

export const apply: Verb = {
  name: 'apply',
  help: 'Applies a plan that "plumbline plan" made, exactly as it is.',
  notes: [
    'A plan is kept for a quarter of an hour: "plumbline plan" makes one, and prints its id. Refused when it would do anything else by now. On a terminal it is shown and asked about first.',
  ],
  forms: [
    {
      words: 'PLAN',
      help: 'Applies the plan with this id, once.',
      fields: { plan_id: 'PLAN' },
      options: {
        yes: { short: 'y', help: 'Does it without a question.' },
        confirm: {
          value: 'HASH',
          help: 'Says with the hash of the plan that what a guard stands before is meant.',
        },
      },
      examples: [['apply 5bd35b49-44f6-4fb3-ac8e-541fd371411e', 'Does what that plan says.']],
      run: applied,
    },
  ],
}

/**
 * Nobody is asked about what would be refused: the plan is made anew and has to be the same. Whether it is, the daemon decides once
 * more when it applies it. Throws `conflict`.
 */
async function assertCurrent(api: Api, { plan: then, expires_at }: KeptPlan): Promise<void> {
  const again = `Make a new one: plumbline plan${planWords(then)}.`
  const now = await madeAnew(api, then)
  if (now === null || (now.plan.complete && now.plan.hash !== then.hash))
    throw new Failure(
      'conflict',
      `The plan is out of date, and nothing was done: the records or the world have changed since. ${again}`,
    )
  if (now.created_at >= expires_at)
    throw new Failure(
      'conflict',
      `The plan has expired, and nothing was done: the look it rests on is too old. ${again}`,
    )
}

/** Null where what it is of is gone. */
const madeAnew = (api: Api, { scope }: KeptPlan['plan']): Promise<KeptPlan | null> =>
  expectGood<KeptPlan>(api, { method: 'POST', path: '/api/plans', body: requestOf(scope) }).catch(
    (error: unknown) => {
      if (error instanceof Failure && error.details.facts?.['status'] === 404) return null
      throw error
    },
  )

function requestOf(scope: PlanScope): Readonly<Record<string, unknown>> {
  if (scope.kind === 'domain') return { domain: scope.domain_id }
  if (scope.kind === 'component') return { component: scope.component }
  if (scope.kind !== 'records') return {}
  const { domain_ids, edits, create } = scope
  return { domains: domain_ids, edits, create }
}

function planWords({ scope, rows }: KeptPlan['plan']): string {
  if (scope.kind === 'component') return ` --component ${scope.component}`
  if (scope.kind === 'records') return ` ${rows.map(({ domain }) => shellWord(domain)).join(' ')}`
  if (scope.kind !== 'domain') return ''
  return ` ${shellWord(rows[0]?.domain ?? String(scope.domain_id))}`
}

const PLAN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const PLAN_HASH = /^[0-9a-f]{64}$/i

async function applied(context: VerbContext): Promise<number> {
  const { words, terminal, options } = context
  const path = `/api/plans/${planId(words[0]!)}`
  const confirm = textOf(options, 'confirm')
  return withApi(context, async (api) => {
    if (confirm === undefined && isAsked(context) && !(await isAgreed(context, api, path))) {
      terminal.note('Nothing was changed.')
      return EXIT.failed
    }
    const body = confirm === undefined ? {} : { confirm }
    const done = await expectGood<DeploymentResult>(api, { method: 'POST', path: `${path}/apply`, body })
    tellDeployment(done, terminal)
    return exitCodeAfter(done)
  })
}

function planId(word: string): string {
  if (PLAN_HASH.test(word))
    throw new Misuse(
      `That is the hash of a plan, and PLAN is its id, as "plumbline plan" prints it. The command that showed the hash takes it: "plumbline deploy NAME --confirm ${word}", where it was of one domain.`,
    )
  if (PLAN_ID.test(word)) return word
  throw new Misuse(
    `PLAN "${word.slice(0, 60)}" must be the id of a plan: "plumbline plan" makes one, and prints its id.`,
  )
}

/** One that is applied already is not asked about. */
async function isAgreed(context: VerbContext, api: Api, path: string): Promise<boolean> {
  const kept = await expectGood<KeptPlan>(api, { method: 'GET', path })
  if (kept.applied_release !== null) return true
  await assertCurrent(api, kept)
  tellPlan(kept.plan, shownTo(context.terminal))
  return agreed(context, 'Apply it?')
}
