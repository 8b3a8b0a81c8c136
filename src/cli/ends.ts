/**
 * A form that ends something: a key, an access, an edge. Whoever sits at a terminal reads what is lost and is asked; a script
 * says `--yes`, which is looked at after the lookup, so that a wrong name is told first.
 */
import { Failure } from '../kernel/failure.ts'
import { didYouMean } from '../kernel/text/nearest.ts'
import type { Api } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { type ChangeCall, settle } from './settle.ts'
import { shortTime, tellAs, type Terminal } from './text/terminal.ts'
import type { VerbContext } from './verb.ts'
import { withApi } from './with-api.ts'

export type Ending = Pick<ChangeCall, 'request' | 'question' | 'opens'> & {
  /** One sentence each; none where it has ended already, which nobody is asked about. */
  readonly loses: readonly string[]
}

export const ends =
  <T>(
    look: (api: Api, context: VerbContext) => Promise<Ending>,
    text: (answer: T, terminal: Terminal) => void,
  ) =>
  (context: VerbContext): Promise<number> =>
    withApi(context, async (api) => {
      const ending = await look(api, context)
      const asks_anyway = ending.loses.length > 0
      const settled = await settle<T>(context, api, { ...ending, removes: true, asks_anyway })
      if (!settled.done) return settled.exit
      tellAs(context.terminal, settled.answer, text)
      return EXIT.ok
    })

interface Named {
  readonly id: unknown
  /** By which people look for it. */
  readonly name: string
  /** One that has ended bears its name no more. */
  readonly state?: string
  /** RFC 3339. */
  readonly created_at?: string
}

/** What a list has by that id, or by that name where only one bears it. Throws as `pick` does. */
export function pickNamed<T extends Named>(kind: string, all: readonly T[], word: string): T {
  const bearers = all.filter(({ name, state }) => name === word && state !== 'ended')
  return bearers.length === 1 && !all.some(({ id }) => String(id) === word)
    ? bearers[0]!
    : pick(kind, all, word)
}

/** What a list has by that id. Throws `not_found` with what is near, or with the id of what bears that name. */
export function pick<T extends Named>(kind: string, all: readonly T[], word: string): T {
  const found = all.find(({ id }) => String(id) === word)
  if (found !== undefined) return found
  const namesakes = all.filter(({ name }) => name === word).map(withDate)
  if (namesakes.length > 1)
    throw new Failure(
      'not_found',
      `There are ${namesakes.length} of the name "${word.slice(0, 80)}". Say which by its id: ${namesakes.join(' or ')}.`,
    )
  const near =
    namesakes.length > 0
      ? ` What is called so is named here by its id: ${namesakes.join(' or ')}.`
      : didYouMean(word, new Set(all.flatMap(({ id, name }) => [String(id), name]))) || listWords(kind)
  throw new Failure('not_found', `There is no ${kind} "${word.slice(0, 80)}".${near}`)
}

/** Of each kind, the command that lists all. */
const LISTS: Readonly<Record<string, string>> = {
  key: 'keys',
  edge: 'edges',
  'site token': 'token list',
  heartbeat: 'heartbeats',
  user: 'users',
}

const listWords = (kind: string): string =>
  LISTS[kind] === undefined ? '' : ` "plumbline ${LISTS[kind]}" lists all.`

const GOES_ON: ReadonlySet<string> = new Set(['active', 'valid'])

/** An id says nothing of which one it is; of two, the one that ends by itself is seldom the one that is meant. */
const withDate = ({ id, state, created_at }: Named): string => {
  const made = created_at === undefined ? [] : [`made ${shortTime(created_at)}`]
  const facts = [...made, ...(state === undefined || GOES_ON.has(state) ? [] : [state])]
  return `"${String(id)}"${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** Joins what is known of a thing: `"ci" (since 2030-01-31, never used)`. */
export const known = (name: string, ...facts: readonly (string | null)[]): string => {
  const some = facts.filter((fact) => fact !== null && fact !== '')
  return some.length === 0 ? name : `${name} (${some.join(', ')})`
}
