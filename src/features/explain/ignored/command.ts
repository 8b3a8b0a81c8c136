/** `plumbline drift ignore` and its neighbours: differences that may stay for a while. */
import { actorShown } from '../../../cli/text/actor-shown.ts'
import { tellProse, tellTable } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { shortTime, type Terminal } from '../../../cli/text/terminal.ts'
import { Misuse } from '../../../cli/misuse.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { asks } from '../../../cli/with-api.ts'
import { spanOf, textOf } from '../../../cli/words/given.ts'
import type { shown } from './ignore.ts'

const ALL = '/api/drift/ignored'
const one = (item: string): string => `${ALL}/${encodeURIComponent(item)}`

interface Settled {
  readonly message: string
  readonly warnings: readonly string[]
}

export const ignoringForms: Verb['forms'] = [
  {
    words: 'ignored',
    help: 'Lists the differences that somebody has said may stay.',
    examples: [['drift ignored', 'What is left alone, why, and until when.']],
    is_long: true,
    run: asks<readonly ReturnType<typeof shown>[]>({
      request: () => ({ method: 'GET', path: ALL }),
      text: (all, terminal) => {
        if (all.length === 0) terminal.note('No difference is ignored.')
        tellTable(
          terminal,
          all.map(({ item, reason, actor, until }) => [
            item,
            `until ${shortTime(until)}`,
            actorShown(actor),
            reason,
          ]),
        )
      },
    }),
  },
  {
    words: 'ignore ITEM',
    help: 'Lets a difference stay as it is until an end: it is still told, and not repaired.',
    options: {
      reason: { value: 'TEXT', help: 'Why it may stay; needed.' },
      until: { value: 'WHEN', help: 'Until when, such as 2026-01-31T12:00:00Z; at most 90 days.' },
      for: { value: 'TIME', help: 'The same as a span, such as 8h or 7d.' },
    },
    examples: [
      [
        'drift ignore "A app.example.com" --for 7d --reason "the other team moves it"',
        'An open protected route is never ignored.',
      ],
    ],
    run: asks<Settled>({ request: (context) => requestOf(context, Date.now()), text: tell }),
  },
  {
    words: 'ignore-end ITEM',
    help: 'Lets a difference stay no more: it is repaired from then on.',
    examples: [['drift ignore-end "A app.example.com"', 'The next look repairs it.']],
    run: asks<Settled>({
      request: ({ words }) => ({ method: 'DELETE', path: one(words[0]!) }),
      text: tell,
    }),
  },
]

function requestOf({ words, options }: VerbContext, now: number) {
  const reason = textOf(options, 'reason')
  const span = spanOf(options, 'for')
  const until =
    textOf(options, 'until') ?? (span === undefined ? undefined : new Date(now + span).toISOString())
  if (reason === undefined || until === undefined)
    throw new Misuse('It needs --reason TEXT, and --until WHEN or --for TIME: what is forgotten has to end.')
  return { method: 'PUT', path: one(words[0]!), body: { reason, until } } as const
}

function tell({ message, warnings }: Settled, terminal: Terminal): void {
  tellProse(terminal, message)
  tellWarnings(warnings, terminal)
}
