/** Opens the API for one verb and closes it whatever happens: a local one holds the lock of the data directory. */
import { Failure } from '../kernel/failure.ts'
import { visibleIn } from '../kernel/text/visible.ts'
import type { Plan } from '../model/plan.ts'
import {
  answerTo,
  type Api,
  type ApiAnswer,
  type ApiRequest,
  goodBody,
  isWrite,
  type OnSilence,
} from './api.ts'
import { EXIT } from './exit-codes.ts'
import { Misuse } from './misuse.ts'
import { progressLine } from './text/tell-progress.ts'
import { interruptible } from './interrupted.ts'
import { withShortTimes } from './text/short-times.ts'
import { tellAs, type Terminal } from './text/terminal.ts'
import type { VerbContext } from './verb.ts'
import { flagOf } from './words/given.ts'

interface Opening {
  /** Makes an installation where there is none. */
  readonly found?: boolean
  /** Only that of a running daemon. */
  readonly running?: boolean
  /** Answers as they came, for what is not shown but written to a file. */
  readonly raw?: boolean
}

export async function withApi<T>(
  { surroundings, options, terminal }: Pick<VerbContext, 'surroundings' | 'options' | 'terminal'>,
  use: (api: Api) => Promise<T>,
  { found = false, running = false, raw = terminal.json }: Opening = {},
): Promise<T> {
  const waits = (line: string) => (terminal.status ?? terminal.note)(line)
  const api = await surroundings.api({ url: addressIn(options), found, running, waits })
  terminal.status?.(null)
  const waiting = waitLine(terminal, api.where)
  const interrupts = interruptible(terminal)
  try {
    return await use({
      where: api.where,
      close: () => api.close(),
      call: async (request) => {
        const answer = await interrupts.call(request, () =>
          waiting(request, (onSilence) => api.call(request, onSilence)),
        )
        // The world's text reaches a terminal only through this door.
        return raw ? answer : { ...answer, body: withShortTimes(visibleIn(answer.body)) }
      },
      following: (operation) => terminal.status?.(operation === null ? null : progressLine(operation)),
    })
  } finally {
    interrupts.end()
    terminal.status?.(null)
    await api.close()
  }
}

const SLOW_AFTER_MS = 1000

/** A call that takes over a second is shown while it lasts. */
const waitLine =
  ({ status }: Pick<Terminal, 'status'>, where: string) =>
  async <T>(request: ApiRequest, call: (onSilence: OnSilence) => Promise<T>): Promise<T> => {
    if (status === undefined) return call(() => undefined)
    const began = Date.now()
    let silent_left_ms: number | null = null
    const show = () => {
      const seconds = Math.round((Date.now() - began) / 1000)
      status(
        silent_left_ms === null
          ? `${isWrite(request) ? 'At work' : 'Looking'}: ${seconds} s`
          : `The daemon at ${where} has not answered yet: waiting up to ${Math.ceil(silent_left_ms / 1000)} s more.`,
      )
    }
    const timer = setInterval(show, SLOW_AFTER_MS)
    try {
      return await call((left_ms) => (silent_left_ms = left_ms))
    } finally {
      clearInterval(timer)
      if (Date.now() - began >= SLOW_AFTER_MS) status(null)
    }
  }

/** A form that is one call: what is asked, how the answer reads, and what it means to the shell. */
export interface Call<T> {
  /** Made before anybody is asked, so that wrong words are told first. */
  readonly request?: (context: VerbContext) => ApiRequest | Promise<ApiRequest>
  /** Where something has to be looked up for it. */
  readonly requestBy?: (api: Api, context: VerbContext) => Promise<ApiRequest>
  readonly text: (answer: T, terminal: Terminal, context: VerbContext) => void
  /** 0 when left out. Of a dry run whose answer has a plan it is that of the plan. */
  readonly exit?: (answer: T, headers: ApiAnswer['headers']) => number
  /**
   * It only looks: where nobody answers, or an answer is 503, it could not be found out. Said of itself by a reading call whose exit
   * code tells how something is.
   */
  readonly is_look?: boolean
  /** Of a dry run: it would save something that no plan of the world shows. */
  readonly saves?: (answer: T) => boolean
  /** Its form takes --dry-run, and is answered with the plan alone then. */
  readonly rehearses?: boolean
  /** What the headers of the answer say to a person beside it, whether or not the answer is told as JSON. */
  readonly note?: (headers: ApiAnswer['headers'], terminal: Terminal) => void
  readonly opening?: Opening
}

export const asks =
  <T>({
    request,
    requestBy,
    text,
    exit,
    note,
    is_look = false,
    rehearses = false,
    saves,
    opening,
  }: Call<T>) =>
  async (context: VerbContext): Promise<number> => {
    const { terminal } = context
    const is_rehearsal = rehearses && flagOf(context.options, 'dry-run')
    const made = await request?.(context)
    const looks = is_look || (made?.method === 'GET' && exit !== undefined)
    const called = await withApi(
      context,
      async (api) => {
        const asked = made ?? (await requestBy!(api, context))
        return answerTo(api, is_rehearsal ? { ...asked, path: `${asked.path}?dry_run=true` } : asked)
      },
      opening,
    ).catch((error: unknown) => {
      if (looks && error instanceof Failure && error.code === 'component_unavailable') return error
      throw error
    })
    if (called instanceof Failure) return notFoundOut(called, terminal)
    const { headers, ...answered } = called
    if (looks && answered.status === 503) return notFoundOut(refusalIn(answered), terminal)
    const answer = goodBody<T>(answered)
    if (is_rehearsal && !terminal.json) await tellRehearsed(answer as Rehearsed, terminal)
    else tellAs(terminal, answer, () => text(answer, terminal, context))
    note?.(headers, terminal)
    return (
      (await rehearsalIn(answer, context, saves?.(answer) === true)) ?? exit?.(answer, headers) ?? EXIT.ok
    )
  }

interface Rehearsed {
  readonly plan: Plan
}

async function tellRehearsed({ plan }: Rehearsed, terminal: Terminal): Promise<void> {
  const { tellPlan } = await import('./text/tell-plan.ts')
  tellPlan(plan, terminal)
  terminal.note('Nothing was changed.')
}

/** Null where it was done, or where its answer is known to be bad before anything is done. */
async function rehearsalIn(
  answer: unknown,
  { options }: VerbContext,
  asks_anyway: boolean,
): Promise<number | null> {
  if (!flagOf(options, 'dry-run')) return null
  const { plan, success } = answer as Partial<Rehearsed> & { readonly success?: boolean }
  if (plan === undefined || success === false) return null
  const { rehearsedExit } = await import('./settle.ts')
  return rehearsedExit(plan, { asks_anyway })
}

function refusalIn(answered: Pick<ApiAnswer, 'status' | 'body'>): Failure {
  try {
    goodBody(answered)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  return new Failure('internal', `the server answered ${answered.status}`)
}

async function notFoundOut(failure: Failure, terminal: Terminal): Promise<number> {
  const { tellRefusal } = await import('./text/tell-refusal.ts')
  const { termsOf } = await import('./words/terms.ts')
  tellRefusal(failure, terminal, termsOf(null))
  return EXIT.unknown
}

/** Of the daemon to ask, where one is named. */
function addressIn({ url }: VerbContext['options']): string | undefined {
  if (typeof url !== 'string') return undefined
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return url
  throw new Misuse(`--url takes an address such as http://127.0.0.1:8080, not "${url.slice(0, 80)}".`)
}
