/** The ways in which answers go wrong on the way, as faults that only happen where they make a difference. */
import {
  breakAfter,
  breakBefore,
  edited,
  empty,
  type Fault,
  halfOpen,
  html,
  numbersAsTexts,
  type Scene,
  silent,
  status,
} from '../../fakes/dns/faults.ts'
import type { HostedKind } from './providers.ts'
import type { Random } from './random.ts'

export interface Misbehaviour {
  readonly fault: Fault
  /** Only in place of a page of records. */
  readonly of_listing?: true
  /** The other side never ends its answer. */
  readonly hangs?: true
  /** Nothing is missing from what comes. */
  readonly whole?: true
}

const nothingDone: Fault = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '0' })
  response.end()
}

/** The answer's text ends in the middle, and says that this is all. */
const cutText =
  (random: Random): Fault =>
  ({ asked, answer, response }) => {
    const { status: code, json } = answer(asked)
    const text = JSON.stringify(json ?? {})
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(text.slice(0, random(text.length)))
  }

const silentAfter: Fault = ({ asked, answer }) => void answer(asked)

export function misbehaviours(
  { list, counts, has_pages, otherZone }: Pick<HostedKind, 'list' | 'counts' | 'has_pages' | 'otherZone'>,
  random: Random,
): Readonly<Record<string, Misbehaviour>> {
  const page = (edit: (entries: readonly unknown[], scene: Scene) => readonly unknown[]) =>
    edited((json, scene) => withEntries(json, list, edit(entriesOf(json, list), scene)))
  const before = ({ answer, before: asked }: Scene) => entriesOf(answer(asked.at(-1)!).json, list)
  const isLaterPage = ({ asked }: Scene) => Number(asked.query.get('page') ?? 1) > 1
  const of_listing = true as const
  return {
    // A page that is cut at its end shows it: by a count, by what always comes last, or by being no JSON any more.
    'partial page': {
      of_listing,
      fault: has_pages ? page((entries) => entries.slice(0, random(entries.length))) : cutText(random),
    },
    // Without a count nobody can see a hole in a text that is whole: that is no fault of a wire.
    ...(counts && {
      'page with a hole': {
        of_listing,
        fault: page((entries: readonly unknown[]) => entries.toSpliced(random(entries.length), 1)),
      },
    }),
    'duplicated page': {
      of_listing,
      ...(has_pages ? {} : { whole: true as const }),
      fault: page((entries, scene) => (isLaterPage(scene) ? before(scene) : [...entries, ...entries])),
    },
    'no entries': { of_listing, fault: page(() => []) },
    'wrong zone': { of_listing, fault: otherZone },
    'numbers as texts': { of_listing, fault: numbersAsTexts },
    'half of the text': { fault: cutText(random) },
    'page for people, 200': { fault: html(200) },
    'page for people, 502': { fault: html(502) },
    '429': { fault: status(429, { headers: { 'retry-after': '1' } }) },
    '500': { fault: status(500) },
    '503': { fault: status(503) },
    'empty 200, nothing done': { fault: nothingDone },
    'empty 200, done': { fault: empty },
    'half-open': { fault: halfOpen, hangs: true },
    silence: { fault: silent, hangs: true },
    'silence, done': { fault: silentAfter, hangs: true },
    'broken before': { fault: breakBefore },
    'broken after it was done': { fault: breakAfter },
  }
}

const entriesOf = (json: unknown, list: string | null): readonly unknown[] =>
  (list === null ? json : (json as Record<string, unknown>)[list]) as readonly unknown[]

const withEntries = (json: unknown, list: string | null, entries: readonly unknown[]): unknown =>
  list === null ? entries : { ...(json as object), [list]: entries }
