/**
 * A form that ends something: a key, an access, an edge. Whoever sits at a terminal reads what is lost and is asked; a script
 * says `--yes`, which is looked at after the lookup, so that a wrong name is told first.
 */
import { type Api, expectGood } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { type ChangeCall, settle } from './settle.ts'
import { tellAs, type Terminal } from './text/terminal.ts'
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

/** What a list has by that id; undefined where the call itself is to say that there is none. */
export async function listedAs<T extends { readonly id: unknown }>(
  api: Api,
  path: string,
  id: string,
): Promise<T | undefined> {
  const all = await expectGood<readonly T[]>(api, { method: 'GET', path })
  return all.find((one) => String(one.id) === id)
}

/** Joins what is known of a thing: `"ci" (since 2030-01-31, never used)`. */
export const known = (name: string, ...facts: readonly (string | null)[]): string => {
  const some = facts.filter((fact) => fact !== null && fact !== '')
  return some.length === 0 ? name : `${name} (${some.join(', ')})`
}
