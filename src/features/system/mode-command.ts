/** `plumbline mode` and `plumbline reconcile`: how far the reconciler goes on its own, and a look at the world now. */
import { EXIT, exitCodeAfter } from '../../cli/exit-codes.ts'
import { Failure } from '../../kernel/failure.ts'
import { suspensionEnd } from '../../cli/suspended.ts'
import { type Api, type ApiRequest, expectGood } from '../../cli/api.ts'
import { Misuse } from '../../cli/misuse.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { tellWarnings } from '../../cli/text/tell-warnings.ts'
import { shortTime, styled, tellAs, type Terminal } from '../../cli/text/terminal.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import { assertComponent } from '../../cli/words/component.ts'
import { flagOf, spanOf, textOf } from '../../cli/words/given.ts'
import type { ComponentResult } from '../../core/answers.ts'
import { COMPONENTS, WRITTEN_WHOLE } from '../../model/component.ts'
import { BY_HAND } from '../../model/drift.ts'

interface Mode {
  readonly component: string
  readonly scope: string
  readonly mode: string
  readonly reason: string
  readonly actor: string
  readonly expires_at: string | null
  readonly standing: { readonly mode: string } | null
}

interface Modes {
  readonly components: readonly Mode[]
}

interface ModeSet extends Modes {
  readonly message: string
  readonly warnings: readonly string[]
}

const ANY = '*'
const { yes: _unasked, ...PLANNED } = SETTLING
const FORCES = ['repair', 'observe', 'suspend'] as const

/** What people say for how long. */
const SPANS: ReadonlySet<string> = new Set(['timeout', 'until', 'duration', 'expires', 'expires-at', 'time'])

export const mode: Verb = {
  name: 'mode',
  help: 'How far the reconciler may go on its own.',
  notes: [
    'repair puts the world right; observe only reports; suspend also looks no more, and needs a reason and an end. What is set for a time goes over what is there, which stands again at its end; what is set without one ends all that was set there. Where a component and everything are set to different ones, the more careful counts: suspend before observe before repair.',
  ],
  otherwise: {
    ...Object.fromEntries(FORCES.map((one) => [one, `mode set ${one}`])),
    pause: 'mode set suspend',
    off: 'mode set observe',
    on: 'mode set repair',
  },
  forms: [
    {
      words: '',
      help: 'Shows what is in force for each component, and why.',
      examples: [['mode', 'Does it repair, or only report?']],
      run: asks<Modes>({ request: () => ({ method: 'GET', path: '/api/modes' }), text: tellModes }),
    },
    {
      words: 'set MODE [COMPONENT]',
      help: 'Sets repair, observe or suspend, for everything or for one component.',
      options: {
        reason: { value: 'TEXT', help: 'Why; needed to suspend.' },
        for: {
          value: 'TIME',
          field: 'expires_at',
          help: 'How long, such as 30m, 8h or 7d; needed to suspend.',
        },
        ...PLANNED,
      },
      meant: (option) =>
        SPANS.has(option) ? 'How long is --for: plumbline mode set suspend --reason TEXT --for 2h.' : null,
      examples: [
        ['mode set observe', 'Nothing is repaired on its own from now on.'],
        [
          'mode set suspend dns --reason "the zone is being moved" --for 2h',
          'DNS is left alone for two hours.',
        ],
        ['mode set repair', 'Back to normal.'],
      ],
      run: (context) => changed(context, requestOf(context, Date.now())),
    },
    {
      words: 'resume [COMPONENT]',
      help: 'Ends what is set for a time, for everything or for one component: what it was set over stands again.',
      options: PLANNED,
      examples: [['mode resume dns', 'Ends the suspension of DNS now.']],
      run: (context) => changed(context, endOf(context.words)),
    },
  ],
}

/** Nobody is asked: what was set is taken back as fast. */
const changed = (context: VerbContext, request: ApiRequest): Promise<number> =>
  withApi(context, async (api) => {
    const asked = { ...context, options: { ...context.options, yes: true } }
    const change = { request, question: 'Set the mode?', asks_anyway: true }
    const settled = await settle<ModeSet>(asked, api, change)
    if (!settled.done) return settled.exit
    tellAs(context.terminal, settled.answer, tellSet)
    return EXIT.ok
  })

function tellSet(answer: ModeSet, terminal: Terminal): void {
  tellProse(terminal, answer.message)
  tellModes(answer, terminal)
  tellWarnings(answer.warnings, terminal)
}

function endOf([component = ANY]: readonly string[]) {
  if (component !== ANY) assertComponent(component)
  return { method: 'DELETE', path: `/api/modes/${encodeURIComponent(component)}` } as const
}

/** Of somebody who says `--for 1 hour`. */
const UNIT = /^(?:seconds?|minutes?|min|hours?|days?|[smhd])$/i

function requestOf({ words, options }: VerbContext, now: number) {
  const [force, component = ANY] = words as readonly [string, string | undefined]
  if (!FORCES.some((one) => one === force))
    throw new Misuse(`"${force.slice(0, 40)}" is no mode: say ${FORCES.join(', ')}.`)
  if (UNIT.test(component))
    throw new Misuse(
      `A time is one word, such as --for ${textOf(options, 'for') ?? 1}${component.charAt(0)}.`,
    )
  if (component !== ANY) assertComponent(component)
  const reason = textOf(options, 'reason')
  const span = spanOf(options, 'for')
  const missing = [
    ...(reason === undefined ? ['--reason TEXT'] : []),
    ...(span === undefined ? ['--for TIME'] : []),
  ]
  if (force === 'suspend' && missing.length > 0)
    throw new Misuse(
      `suspend needs ${missing.join(' and ')}: nobody looks meanwhile, and it has to end by itself.`,
    )
  const body = {
    mode: force,
    ...(reason !== undefined && { reason }),
    ...(span !== undefined && { expires_at: new Date(now + span).toISOString() }),
  }
  return { method: 'PUT', path: `/api/modes/${encodeURIComponent(component)}`, body } as const
}

function tellModes({ components }: Modes, terminal: Terminal): void {
  const rows = components.map(({ component, mode: force, scope, reason, actor, expires_at, standing }) => ({
    cells: [
      component,
      force,
      scope === ANY ? 'everything' : scope,
      [
        reason,
        actor === '' ? '' : `by ${actorShown(actor)}`,
        expires_at === null
          ? ''
          : `until ${shortTime(expires_at)}${standing === null ? '' : `, then ${standing.mode}`}`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    ],
    ...((force !== 'repair' || (standing ?? null) !== null) && { style: 'yellow' as const }),
  }))
  tellTable(terminal, rows, { head: ['COMPONENT', 'MODE', 'SET FOR', 'WHY'] })
}

interface Reconciled {
  readonly success: boolean
  readonly message: string
  readonly components: readonly ComponentResult[]
}

export const reconcile: Verb = {
  name: 'reconcile',
  help: 'Looks at the world now, and brings it to what was released.',
  notes: [
    'Releases nothing: what is saved and not deployed stays so. Also in observe mode, since somebody asks.',
  ],
  forms: [
    {
      words: '[COMPONENT]',
      help: `Repairs everything, or one of ${COMPONENTS.join(', ')}.`,
      options: SETTLING,
      examples: [
        ['reconcile', 'Undoes at once what somebody did by hand.'],
        ['reconcile dns --dry-run', 'Shows what would be repaired.'],
      ],
      run: reconciled,
    },
  ],
}

async function reconciled(context: VerbContext): Promise<number> {
  const { words, terminal } = context
  const [component] = words
  if (component !== undefined) assertComponent(component)
  return withApi(context, async (api) => {
    const is_shown = terminal.ask !== undefined || flagOf(context.options, 'dry-run')
    if (is_shown && component !== undefined && WRITTEN_WHOLE.has(component))
      await tellWhole(api, component, terminal).catch(() => undefined)
    const query = component === undefined ? '' : `?target=${component}`
    const settled = await settle<Reconciled>(context, api, {
      request: { method: 'POST', path: `/api/reconcile${query}` },
      question: `Repair ${component ?? 'everything'}?`,
    }).catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.details.facts?.['code'] !== 'suspended') throw error
      const end = await suspensionEnd(api, component).catch(() => null)
      throw end === null ? error : new Failure(error.code, `${error.message} ${end}`, error.details)
    })
    if (!settled.done) {
      const end = terminal.json ? null : await suspensionEnd(api, component).catch(() => null)
      if (end !== null) terminal.note(end)
      return settled.exit
    }
    tellAs(terminal, settled.answer, tellReconciled)
    const is_done = settled.answer.components.every(({ outcome }) => DONE.has(outcome))
    return is_done ? exitCodeAfter(settled.answer) : EXIT.failed
  })
}

interface Differing {
  readonly components: readonly {
    readonly component: string
    readonly differences: readonly { readonly cause: string; readonly domains: readonly string[] }[]
  }[]
}

/** Before the question: whose edits go, where they are of more than one domain. */
async function tellWhole(api: Api, component: string, terminal: Terminal): Promise<void> {
  if (terminal.json) return
  const { components } = await expectGood<Differing>(api, { method: 'GET', path: '/api/drift' })
  const edits = components
    .filter((one) => one.component === component)
    .flatMap(({ differences }) => differences.filter(({ cause }) => BY_HAND.has(cause)))
  const domains = [...new Set(edits.flatMap((one) => one.domains))]
  if (domains.length > 1)
    terminal.note(`${component} is written as a whole: the hand edits of ${domains.join(', ')} all go.`)
}

const DONE: ReadonlySet<string> = new Set(['clean', 'repaired', 'suspended'])

function tellReconciled({ message, components, success }: Reconciled, terminal: Terminal): void {
  tellProse(terminal, success ? message : styled('red', message))
  tellTable(
    terminal,
    components.map(({ key, outcome, message: why }) => [key, outcome.replaceAll('_', ' '), why ?? '']),
    { indent: '  ' },
  )
}
