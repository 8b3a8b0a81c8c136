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
import { shownTo, tellAs, type Terminal } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import { flagOf, textOf } from '../../../cli/words/given.ts'
import type { DeploymentResult, SavedAnswer } from '../../../core/answers.ts'
import { Failure } from '../../../kernel/failure.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
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
  const { options } = context
  const { deploys } = change
  const is_dry = flagOf(options, 'dry-run')
  if (!is_dry) assertMeant(context, change)
  const carried = deploys ? await carriedAlong(api, change.record.id, change.body) : []
  const is_inward = carried.length === 0 && !Object.keys(change.body).some(isOutside)
  const meant = { ...change, is_inward, carried }
  const asks_first = deploys && isAsked(context)
  const confirm = textOf(options, 'confirm')
  if (!is_dry && !asks_first && confirm === undefined) return saved(context, api, meant)
  const rehearsed = await sent<RehearsedSave>(api, change, '?dry_run=true')
  if (is_dry) return rehearsedOnly(context, rehearsed, { deploys, carried })
  // What is not the plan that was agreed to is not saved, either.
  if (confirm !== undefined) assertConfirmed(planIn(rehearsed, deploys), confirm)
  return asks_first ? savedIfAgreed(context, api, meant, rehearsed) : saved(context, api, meant)
}

/** Of all that the command does. */
const planIn = ({ plan, deploy }: RehearsedSave, deploys: boolean): Plan =>
  (deploys ? deploy?.plan : null) ?? plan

async function rehearsedOnly(
  context: VerbContext,
  rehearsed: RehearsedSave,
  { deploys, carried }: Pick<Agreed, 'deploys' | 'carried'>,
): Promise<number> {
  const { terminal } = context
  const plan = planIn(rehearsed, deploys)
  const asks_anyway = rehearsed.changed.length > 0
  await written(context, plan, { asks_anyway, saves: changedLines(rehearsed, plan) })
  tellAs(terminal, rehearsed, (answer) => tellRehearsed(answer, terminal, { deploys, carried }))
  return rehearsedExit(plan, { asks_anyway })
}

async function savedIfAgreed(
  context: VerbContext,
  api: Api,
  meant: Agreed,
  rehearsed: RehearsedSave,
): Promise<number> {
  const plan = planIn(rehearsed, meant.deploys)
  tellAsked(rehearsed, plan, { carried: meant.carried, terminal: shownTo(context.terminal) })
  const shown = { ...meant, carried: [] }
  // What a guard holds up is asked about when it is deployed.
  if (plan.guards.length > 0) return saved(context, api, shown)
  const also = meant.carried.length > 0 ? ' with what was saved before' : ''
  if (await agreed(context, meant.question(also)))
    return saved(context, api, { ...shown, agreed_to: plan.hash })
  context.terminal.note('Nothing was changed.')
  return EXIT.failed
}

interface Rehearsal extends Pick<Agreed, 'carried'> {
  readonly terminal: Terminal
}

/** Throws `conflict` for what could not be deployed. */
function tellAsked(rehearsed: RehearsedSave, plan: Plan, { carried, terminal }: Rehearsal): void {
  tellChanged(rehearsed, terminal, plan)
  tellCarried(carried, terminal)
  if (rehearsed.deploy?.refused)
    throw new Failure('conflict', `${rehearsed.deploy.refused.message} Nothing was saved.`)
  if (!tellNothingOutside(rehearsed, terminal)) tellPlan(plan, terminal)
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
  `"plumbline plan ${shellWord(name)}" shows what a deploy would do, "plumbline deploy ${shellWord(name)}" does it.`

const sent = <T>(api: Api, { record, tag, body }: Change, query: string): Promise<T> =>
  expectGood<T>(api, {
    method: 'PUT',
    path: `/api/domains/${record.id}${query}`,
    body,
    headers: { 'if-match': tag },
  })

interface Saved extends Agreed, Pick<SavedAnswer, 'revision'> {}

/** What the person has agreed to is not asked about again, unless the plan is another one by now. */
async function deployed(context: VerbContext, api: Api, change: Saved): Promise<number> {
  const { record, agreed_to, revision } = change
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
  return settled.done ? tellOutcome(context, api, change, settled.answer) : settled.exit
}

async function tellOutcome(
  { terminal }: VerbContext,
  api: Api,
  { record, is_inward }: Agreed,
  answer: DeploymentResult,
): Promise<number> {
  const is_clean = answer.components.every(({ outcome }) => outcome === 'clean')
  if (is_inward && is_clean && answer.success && !terminal.json) {
    // Warnings are about what is deployed, which it leaves alone.
    tellProse(terminal, 'Nothing outside has it, so no release was made.')
    return EXIT.ok
  }
  tellDeployment(answer, terminal)
  await tellUnreached(api, [record], terminal)
  return exitCodeAfter(answer)
}
