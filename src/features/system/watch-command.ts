/** `plumbline watch`: what happens, a line each, over restarts of the daemon. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { actorShown } from '../../cli/text/actor-shown.ts'
import { tellItem } from '../../cli/text/table.ts'
import { shortTime, styled, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import { sinceOf, spanOf, textOf } from '../../cli/words/given.ts'
import { Failure } from '../../kernel/failure.ts'
import type { EventView } from '../../core/events/subscription.ts'
import { EVENT_KINDS } from '../../model/event.ts'

export const watch: Verb = {
  name: 'watch',
  help: 'Shows what happens, as it happens.',
  notes: [
    'It goes on over restarts of the daemon, and shows each event once. With --json each line is one event. Ctrl-C ends it.',
  ],
  forms: [
    {
      words: '',
      help: 'Prints a line for each event from now on, or from some time ago.',
      options: {
        since: {
          value: 'AGE',
          help: 'Begins so long ago: 30m, 24h, or a time such as 2030-01-31T12:00:00Z.',
        },
        kind: { value: 'KIND', one_of: EVENT_KINDS, help: 'Only such events.' },
        for: { value: 'TIME', help: 'Ends after so long.' },
      },
      examples: [
        ['watch', 'In a second terminal while something is changed.'],
        ['watch --since 24h --for 1s', 'What happened since yesterday.'],
        ['watch --kind drift --json', 'For a program.'],
      ],
      run: watched,
    },
  ],
}

const EVERY_MS = 1000
const PAGE = 1000

interface Place {
  /** Number of the last event that was seen. */
  seen: number
  is_away: boolean
}

async function watched(context: VerbContext): Promise<number> {
  const { options, terminal } = context
  const since = sinceOf(options, 'since', Date.now())
  const span = spanOf(options, 'for')
  const until = span === undefined ? Infinity : Date.now() + span
  const kind = textOf(options, 'kind')
  const place: Place = { seen: 0, is_away: false }
  const tell = (event: EventView) => {
    if (kind === undefined || event.kind === kind) tellEvent(event, terminal)
  }
  const first = await withApi(context, (api) => eventsAfter(api, 0), { running: true })
  place.seen = first.at(-1)?.id ?? 0
  if (since !== undefined)
    for (const event of first) if (Date.parse(event.at) >= Date.parse(since)) tell(event)
  while (Date.now() < until && terminal.isClosed?.() !== true) {
    await sleep(Math.min(EVERY_MS, Math.max(0, until - Date.now())))
    for (const event of await next(context, place)) tell(event)
  }
  return EXIT.ok
}

/** A daemon that is away is waited for. */
async function next(context: VerbContext, place: Place): Promise<readonly EventView[]> {
  const { terminal } = context
  try {
    return await withApi(
      context,
      async (api) => {
        if (place.is_away) await cameBack(api, place, terminal)
        const events = await eventsAfter(api, place.seen)
        place.seen = events.at(-1)?.id ?? place.seen
        return events
      },
      { running: true },
    )
  } catch (error) {
    if (!(error instanceof Failure) || !AWAY.has(error.code)) throw error
    if (!place.is_away) terminal.note('The daemon is away. Waiting for it …')
    place.is_away = true
    return []
  }
}

const AWAY: ReadonlySet<string> = new Set(['component_unavailable', 'data_directory_in_use'])

/** A database that was put back counts anew: told again is better than not told. */
async function cameBack(api: Api, place: Place, { note }: Terminal): Promise<void> {
  if (place.seen > 0) {
    const path = `/api/events?after=${place.seen - 1}&limit=1`
    const [same] = await expectGood<readonly EventView[]>(api, { method: 'GET', path })
    if (same?.id !== place.seen) place.seen = 0
  }
  place.is_away = false
  note('The daemon is back.')
}

async function eventsAfter(api: Api, after: number): Promise<readonly EventView[]> {
  const all: EventView[] = []
  for (;;) {
    const from = all.at(-1)?.id ?? after
    const path = `/api/events?after=${from}&limit=${PAGE}`
    const page = await expectGood<readonly EventView[]>(api, { method: 'GET', path })
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

const STYLES = {
  drift: 'yellow',
  refused: 'red',
  failed: 'red',
  not_loaded: 'red',
  unreadable: 'yellow',
} as const

function tellEvent(event: EventView, terminal: Terminal): void {
  if (terminal.json) return terminal.out(JSON.stringify(event))
  const { at, kind } = event
  const line = `${shortTime(at)}  ${kind.replaceAll('_', ' ')}  ${sentenceOf(event)}`
  const style = (STYLES as Partial<Record<string, 'yellow' | 'red'>>)[kind]
  tellItem(terminal, style === undefined ? line : styled(style, line))
}

/** Whoever acted, and by which action, in the words of `plumbline audit`: `key main saved app.example.com (update).` */
function sentenceOf({ kind, message, facts: { actor, action } }: EventView): string {
  if (typeof actor !== 'string' || actor === '') return message
  const shown = actorShown(actor)
  const text = message.replace(/\.$/, '')
  if (kind === 'saved')
    return `${shown}${text.slice(actor.length)}${typeof action === 'string' ? ` (${action})` : ''}.`
  return BY_CALLERS.has(kind) ? `${text}, by ${shown}.` : message
}

const BY_CALLERS: ReadonlySet<string> = new Set(['release', 'mode', 'ignored'])
