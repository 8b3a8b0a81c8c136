/**
 * A change as the command makes it: planned and shown, asked about where somebody sits at a terminal, and then done exactly as
 * it was shown, or not at all. Scripts are never asked: what takes something away needs `--yes` of them.
 */
import { Failure } from '../kernel/failure.ts'
import { isEmptyPlan, type Plan } from '../model/plan.ts'
import { type Api, type ApiRequest, expectGood } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { Misuse } from './misuse.ts'
import { type PageFacts, planPage } from './text/plan-page.ts'
import { tellProse, wrapped } from './text/table.ts'
import { tellCautions, tellPlan } from './text/tell-plan.ts'
import { shownTo, styled, tellJson, type Terminal } from './text/terminal.ts'
import type { Options, VerbContext } from './verb.ts'
import { flagOf, textOf } from './words/given.ts'
import { confirmedLine, repeatedLine } from './words/repeated.ts'

/** Of every form that settles. */
export const SETTLING: Options = {
  yes: {
    short: 'y',
    help: 'Does it without a question; where there is no terminal nobody is asked, and what takes something away wants --yes.',
  },
  'dry-run': {
    help: 'Shows the plan and changes nothing: exit code 0 nothing to do, 2 something, 3 not known.',
  },
  out: { value: 'FILE', short: 'o', help: 'Writes the plan into this file as Markdown, for a pull request.' },
  confirm: {
    value: 'HASH',
    help: 'Carries out the plan with this hash and no other, which also answers a guard; --dry-run prints the hash.',
  },
}

export interface ChangeCall {
  /** Without `dry_run` and `confirm`. */
  readonly request: ApiRequest
  /** What is asked before it: `Deploy app.example.com?` */
  readonly question: string
  /** Something that is served is taken away, or may be: a script has to say that it means it. */
  readonly removes?: boolean | 'perhaps'
  /** What was shut is opened, which a script has to mean just as well. */
  readonly opens?: boolean
  /** There is something to do that the plan does not show, such as a record that is only saved. */
  readonly asks_anyway?: boolean
  /** What is lost and no plan shows, a sentence each: it is read before the question. */
  readonly loses?: readonly string[]
  /** The hash of a plan that the person has agreed to already. */
  readonly agreed_to?: string | undefined
  /** What is saved by it and no row of the plan says, a line each: for the page. */
  readonly saves?: readonly string[]
}

export type Settled<T> =
  | { readonly done: true; readonly answer: T }
  /** Nothing was changed: a dry run, or the person said no. */
  | { readonly done: false; readonly exit: number }

export async function settle<T>(context: VerbContext, api: Api, change: ChangeCall): Promise<Settled<T>> {
  const { options } = context
  if (flagOf(options, 'dry-run')) return rehearsed(context, await plannedBy(api, change), change)
  const confirm = textOf(options, 'confirm')
  if (confirm === undefined && isAsked(context)) return asked(context, api, change)
  if (!isMeant(context, change)) {
    // What cannot be done at all is told first.
    if (change.removes === 'perhaps') await plannedBy(api, change)
    assertMeant(context, change)
  }
  if (textOf(options, 'out') !== undefined) await written(context, await planOf(api, change), change)
  return { done: true, answer: await sent<T>(api, change, confirm) }
}

function isMeant(context: VerbContext, { removes = false }: Pick<ChangeCall, 'removes'>): boolean {
  const { options } = context
  const is_said = flagOf(options, 'yes') || textOf(options, 'confirm') !== undefined
  return removes === false || isAsked(context) || is_said
}

/** Throws Misuse where nobody can be asked, and has not said beforehand that it is meant. */
export function assertMeant(context: VerbContext, change: Pick<ChangeCall, 'removes' | 'opens'>): void {
  const { removes, opens = false } = change
  if (isMeant(context, change)) return
  const what = opens ? 'opens something' : `${removes === 'perhaps' ? 'may take' : 'takes'} something away`
  throw new Misuse(`Nobody can be asked here, and it ${what}: say --yes, or look first with --dry-run.`, [])
}

interface Answered {
  readonly plan: Plan
}

const plannedBy = (api: Api, { request }: ChangeCall): Promise<Answered> =>
  expectGood(api, { ...request, path: withQuery(request.path, 'dry_run', 'true') })

const planOf = async (api: Api, change: ChangeCall): Promise<Plan> => (await plannedBy(api, change)).plan

const sent = <T>(api: Api, { request }: ChangeCall, confirm: string | undefined): Promise<T> =>
  expectGood<T>(
    api,
    confirm === undefined ? request : { ...request, path: withQuery(request.path, 'confirm', confirm) },
  )

const withQuery = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`

async function rehearsed<T>(
  context: VerbContext,
  answered: Answered,
  change: ChangeCall,
): Promise<Settled<T>> {
  const { terminal } = context
  const { plan } = answered
  await written(context, plan, change)
  if (terminal.json) tellJson(terminal, answered)
  else {
    tellDeed(plan, change, terminal)
    tellUndone(plan, terminal, change)
  }
  return { done: false, exit: rehearsedExit(plan, change) }
}

type Beside = Pick<ChangeCall, 'loses' | 'asks_anyway'>

/** Whether the call would do anything, as far as it is known. */
const isSomething = (plan: Plan, { loses = [], asks_anyway = false }: Beside): boolean =>
  !isEmptyPlan(plan) || asks_anyway || loses.length > 0

/** The end of a rehearsal. Where there is nothing to do there is nothing to confirm. */
export function tellUndone(plan: Plan, terminal: Pick<Terminal, 'note'>, beside: Beside = {}): void {
  const remedy =
    isSomething(plan, beside) || !plan.complete
      ? ` To do exactly this plan, say --confirm ${plan.hash} instead of --dry-run.`
      : ''
  terminal.note(`Nothing was changed.${remedy}`)
}

/** Of a dry run, as of `plumbline plan`. What a mode leaves would not be done by the call either. */
export function rehearsedExit(plan: Plan, beside: Beside = {}): number {
  if (!plan.complete) return EXIT.unknown
  return plan.left.length > 0 || isSomething(plan, beside) ? EXIT.drift : EXIT.ok
}

function tellDeed(plan: Plan, { loses = [], asks_anyway = false }: ChangeCall, terminal: Terminal): void {
  for (const sentence of loses)
    for (const line of wrapped(sentence, terminal.width ?? Infinity)) terminal.out(styled('red', line))
  // "Nothing to do" is true of the world outside alone.
  if (loses.length > 0 && isEmptyPlan(plan)) tellCautions(plan, terminal)
  else if (asks_anyway && isEmptyPlan(plan) && plan.complete) {
    tellProse(terminal, 'Outside nothing changes by it.')
    tellCautions(plan, terminal)
  } else tellPlan(plan, terminal)
}

/** Until the person has seen the very plan that is carried out. */
async function asked<T>(context: VerbContext, api: Api, change: ChangeCall): Promise<Settled<T>> {
  let plan = await planOf(api, change)
  for (;;) {
    if (plan.hash !== change.agreed_to && !(await shownAndAgreed(context, plan, change))) {
      context.terminal.note('Nothing was changed.')
      return { done: false, exit: EXIT.failed }
    }
    try {
      return { done: true, answer: withoutSeen(await sent<T>(api, change, plan.hash), plan.warnings) }
    } catch (error) {
      const newer = newerPlan(error, plan)
      if (newer === null) throw error
      context.terminal.note('\nThe plan has changed meanwhile. This is the plan now:\n')
      plan = newer
    }
  }
}

/** False where the person does not want it. Throws what a guard says. */
async function shownAndAgreed(context: VerbContext, plan: Plan, change: ChangeCall): Promise<boolean> {
  const is_something = change.asks_anyway === true || !isEmptyPlan(plan)
  // Where nobody is asked, the answer of the call says that there was nothing to do.
  const says_enough =
    is_something || !plan.complete || plan.left.length > 0 || (change.loses ?? []).length > 0
  if (says_enough) tellDeed(plan, change, shownTo(context.terminal))
  else tellCautions(plan, shownTo(context.terminal))
  await written(context, plan, change)
  if (plan.guards.length > 0) throw guarded(plan)
  return !is_something || agreed(context, change.question)
}

/** What was read before the question is not read again after it. */
function withoutSeen<T>(answer: T, seen: readonly string[]): T {
  if (typeof answer !== 'object' || answer === null || !('warnings' in answer)) return answer
  const { warnings } = answer
  return Array.isArray(warnings)
    ? { ...answer, warnings: warnings.filter((warning) => !seen.includes(String(warning))) }
    : answer
}

/** What a guard stands before is never done for a "y": its hash is typed back. */
const guarded = ({ guards, hash }: Plan): Failure =>
  new Failure(
    'refused_by_guard',
    guards.every(({ confirmable }) => confirmable)
      ? `A guard stands before it, nothing was changed. If it is meant, repeat the command with --confirm ${hash}`
      : `A guard stands before it that nothing lifts, nothing was changed: ${guards.map(({ message }) => message).join(' ')}`,
  )

function newerPlan(error: unknown, { hash }: Plan): Plan | null {
  if (!(error instanceof Failure)) return null
  const { code, plan } = error.details.facts ?? {}
  const newer = plan as Plan | null | undefined
  return code === 'conflict' && newer !== null && newer !== undefined && newer.hash !== hash ? newer : null
}

/** True for y and yes. Where nobody can be asked, or `--yes` is said, it is meant. */
export async function agreed({ terminal, options }: VerbContext, question: string): Promise<boolean> {
  if (terminal.ask === undefined || !isAsked({ terminal, options })) return true
  terminal.status?.(null)
  const lines = wrapped(`${question} [y/N]`, (terminal.width ?? Infinity) - ANSWER.length)
  for (const line of lines.slice(0, -1)) terminal.note(line)
  return /^y(?:es)?$/i.test((await terminal.ask(`${lines.at(-1)!} `, 'Nothing was changed.')).trim())
}

/** Room for what they type. */
const ANSWER = ' y'

/** Somebody sits there, and has not said already that it is meant. */
export const isAsked = ({ terminal, options }: Pick<VerbContext, 'terminal' | 'options'>): boolean =>
  terminal.ask !== undefined && !terminal.json && !flagOf(options, 'yes')

/**
 * The plan as a page, where one is asked for.
 * @param facts with the command that carries it out; else that is this one, with the hash
 */
export async function written(
  { options, said, surroundings, terminal }: VerbContext,
  plan: Plan,
  facts: Partial<PageFacts> = {},
): Promise<void> {
  const path = textOf(options, 'out')
  if (path === undefined) return
  const own = { again: repeatedLine(said), command: confirmedLine(said, plan.hash) }
  await surroundings.writeFile(path, planPage(plan, { ...own, ...facts }))
  terminal.note(`Wrote the plan to ${path}.`)
}
