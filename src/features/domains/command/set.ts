/** `plumbline set` and `plumbline rename`: a change of fields, saved over nobody else's; deployed where that is said. */
import { type Api, expectGood } from '../../../cli/api.ts'
import { EXIT, exitCodeAfter } from '../../../cli/exit-codes.ts'
import { confirmed } from '../../../cli/confirmed.ts'
import { Misuse } from '../../../cli/misuse.ts'
import { tellUnreached } from '../../../cli/backends.ts'
import {
  agreed,
  assertMeant,
  isAsked,
  rehearsedExit,
  settle,
  SETTLING,
  written,
} from '../../../cli/settle.ts'
import { tellDeployment } from '../../../cli/text/tell-deployment.ts'
import { tellPlan } from '../../../cli/text/tell-plan.ts'
import { tellMessage, tellProse } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { shownTo, tellAs } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { flagOf, textOf } from '../../../cli/words/given.ts'
import type { DeploymentResult, SavedAnswer } from '../../../core/answers.ts'
import { Failure } from '../../../kernel/failure.ts'
import { POLICY_WORDS } from '../../../model/access/policy-words.ts'
import { isOutside } from '../../../model/domain/record.ts'
import type { Plan } from '../../../model/plan.ts'
import { carriedAlong, carriedWords } from './carried.ts'
import { assignment, fieldMeant } from './fields.ts'
import { type ReadRecord, recordNamed } from './record.ts'
import { changedLines, tellCarried, tellChanged, tellNothingOutside, tellRehearsed } from './tell-saved.ts'
import type { RehearsedSave } from '../api/save-schemas.ts'

export const set: Verb = {
  name: 'set',
  help: 'Changes fields of a domain, and saves them.',
  notes: [
    'Saving is not deploying: a live domain stays as it is until "plumbline deploy". field= empties a field. "plumbline edit" shows all fields with what each is for.',
    POLICY_WORDS,
  ],
  forms: [
    {
      words: 'NAME FIELD=VALUE…',
      help: 'Saves new values, all of them or none.',
      options: { deploy: { help: 'Deploys the domain, too.' }, ...SETTLING },
      meant: fieldMeant,
      examples: [
        ['set app.example.com backend_port=8081 note="moved to the new host"', 'Two fields at once.'],
        ['set app.example.com tags=web,family auth_required=false --deploy', 'Saved and deployed.'],
        ['set app.example.com static_ip= --dry-run', 'Shows what that would change.'],
      ],
      run: (context) => {
        const [word, ...rest] = context.words as readonly [string, ...string[]]
        const body = Object.fromEntries(rest.map(assignment))
        return withApi(context, async (api) => {
          const read = await recordNamed(api, word)
          const question = (also: string) => `Save and deploy ${read.record.domain}${also}?`
          return changed(context, api, {
            ...read,
            body,
            deploys: flagOf(context.options, 'deploy'),
            removes: flagOf(context.options, 'deploy') && isRenamed(read, body),
            question,
          })
        })
      },
    },
  ],
}

export const rename: Verb = {
  name: 'rename',
  help: 'Gives a domain another name.',
  notes: [
    'A live domain is deployed under its new name first. Then the old name is no longer served, so a script says --yes.',
  ],
  forms: [
    {
      words: 'NAME NEW',
      help: 'Saves the new name, and deploys it where the domain is live.',
      options: { save: { help: 'Only saves it.' }, ...SETTLING },
      examples: [['rename app.example.com tool.example.com', 'It has another name from now on.']],
      run: (context) => {
        const [word, domain] = context.words as readonly [string, string]
        return withApi(context, async (api) => {
          const read = await recordNamed(api, word)
          const is_live = ['active', 'error'].includes(read.record.status)
          const deploys = is_live && !flagOf(context.options, 'save')
          const question = (also: string) =>
            `Rename ${read.record.domain} to ${domain}, and deploy it${also}?`
          return changed(context, api, { ...read, body: { domain }, deploys, removes: deploys, question })
        })
      },
    },
  ],
}

interface Change extends ReadRecord {
  readonly body: Readonly<Record<string, unknown>>
  readonly deploys: boolean
  /** The name of before is taken away. */
  readonly removes: boolean
  /** @param also what goes with it */
  readonly question: (also: string) => string
}

const isRenamed = ({ record }: ReadRecord, { domain }: Change['body']): boolean =>
  domain !== undefined && domain !== record.domain && domain !== record.domain_unicode

async function changed(context: VerbContext, api: Api, change: Change): Promise<number> {
  const { terminal, options } = context
  const { deploys } = change
  if (!flagOf(options, 'dry-run')) assertMeant(context, change)
  const carried = deploys ? await carriedAlong(api, change.record.id, change.body) : []
  const is_inward = carried.length === 0 && !Object.keys(change.body).some(isOutside)
  let agreed_to: string | undefined
  const asks_first = deploys && isAsked(context)
  const confirm = textOf(options, 'confirm')
  if (flagOf(options, 'dry-run') || asks_first || confirm !== undefined) {
    const rehearsed = await sent<RehearsedSave>(api, change, '?dry_run=true')
    const plan = (deploys ? rehearsed.deploy?.plan : null) ?? rehearsed.plan
    if (flagOf(options, 'dry-run')) {
      const saves = changedLines(rehearsed, plan)
      await written(context, plan, { asks_anyway: rehearsed.changed.length > 0, saves })
      tellAs(terminal, rehearsed, (answer) => tellRehearsed(answer, terminal, { deploys, carried }))
      const asks_anyway = rehearsed.changed.length > 0
      return rehearsedExit(deploys ? plan : rehearsed.plan, { asks_anyway })
    }
    // What is not the plan that was agreed to is not saved, either.
    if (confirm !== undefined) assertConfirmed(plan, confirm)
    if (!asks_first) return saved(context, api, { ...change, is_inward, carried })
    tellChanged(rehearsed, shownTo(terminal), plan)
    tellCarried(carried, shownTo(terminal))
    if (rehearsed.deploy?.refused)
      throw new Failure('conflict', `${rehearsed.deploy.refused.message} Nothing was saved.`)
    if (!tellNothingOutside(rehearsed, shownTo(terminal))) tellPlan(plan, shownTo(terminal))
    if (plan.guards.length === 0) {
      if (
        !(await agreed(context, change.question(carried.length > 0 ? ' with what was saved before' : '')))
      ) {
        terminal.note('Nothing was changed.')
        return EXIT.failed
      }
      agreed_to = plan.hash
    }
  }
  return saved(context, api, { ...change, is_inward, carried: asks_first ? [] : carried, agreed_to })
}

interface Agreed extends Change {
  /** What is deployed along with it, and nobody has been shown. */
  readonly carried: readonly string[]
  /** Nothing that is saved waits for a deploy. */
  readonly is_inward: boolean
  /** The hash of the plan that somebody has agreed to. */
  readonly agreed_to?: string | undefined
}

function assertConfirmed(plan: Plan, confirm: string): void {
  if (plan.hash === confirm) return
  throw new Failure(
    'conflict',
    `Nothing was saved: that is not the hash of the plan as of now, which is ${plan.hash}. Either something has changed since, or the hash is of another command. Look at the plan before you confirm it.`,
    {
      facts: { plan },
    },
  )
}

async function saved(context: VerbContext, api: Api, change: Agreed): Promise<number> {
  const { terminal } = context
  const { deploys, carried } = change
  // Where it is deployed, the hash is of that.
  const answer = await sent<SavedAnswer>(api, change, deploys ? '' : confirmed('', context.options))
  if (!deploys) {
    tellAs(terminal, answer, tellMessage)
    tellWarnings(answer.warnings, terminal)
    if (!terminal.json && answer.pending_deploy) terminal.note(deployHint(nameAfter(change)))
    return EXIT.ok
  }
  // The API says that it waits for a deploy, which follows here.
  terminal.note(`Saved ${nameAfter(change)}.`)
  if (carried.length > 0) terminal.note(carriedWords(carried))
  return deployed(context, api, { ...change, revision: answer.revision })
}

const nameAfter = ({ record, body }: Change): string =>
  typeof body['domain'] === 'string' ? body['domain'] : record.domain

const deployHint = (name: string): string =>
  `"plumbline plan ${name}" shows what a deploy would do, "plumbline deploy ${name}" does it.`

const sent = <T>(api: Api, { record, tag, body }: Change, query: string): Promise<T> =>
  expectGood<T>(api, {
    method: 'PUT',
    path: `/api/domains/${record.id}${query}`,
    body,
    headers: { 'if-match': tag },
  })

/** What the person has agreed to is not asked about again, unless the plan is another one by now. */
async function deployed(
  context: VerbContext,
  api: Api,
  change: Agreed & Pick<SavedAnswer, 'revision'>,
): Promise<number> {
  const { record, agreed_to, is_inward, revision } = change
  if (!['active', 'error'].includes(record.status))
    throw new Misuse(
      `It is saved, and not deployed: ${record.domain} is ${record.status}. "plumbline on" activates it.`,
    )
  const settled = await settle<DeploymentResult>(context, api, {
    request: {
      method: 'POST',
      path: `/api/domains/${record.id}/deploy`,
      // What somebody else has saved meanwhile goes out by their own call.
      headers: revision === null ? {} : { 'if-match': `"${revision}"` },
    },
    question: `Deploy ${record.domain}?`,
    agreed_to,
  })
  if (!settled.done) return settled.exit
  const { terminal } = context
  const is_clean = settled.answer.components.every(({ outcome }) => outcome === 'clean')
  if (is_inward && is_clean && settled.answer.success && !terminal.json) {
    // Warnings are about what is deployed, which it leaves alone.
    tellProse(terminal, 'Nothing outside has it, so no release was made.')
    return EXIT.ok
  }
  tellDeployment(settled.answer, terminal)
  await tellUnreached(api, [record], context.terminal)
  return exitCodeAfter(settled.answer)
}
