/** How people call those who act, and what the trail calls them: a key by its name, whoever has signed in by theirs. Pure. */
import { MAIN, MAIN_ACTOR } from '../../cli/text/actor-shown.ts'
import { isRecord } from '../../kernel/text/lenient.ts'

/** All that the trail may call whom this word means: `ci` is `key:ci`, too, `main` the main key, `ana` also `sso:ana`. */
export function actorsMeant(word: string): readonly string[] {
  const main = word === MAIN || word === `${MAIN_ACTOR}:${MAIN}` ? [MAIN_ACTOR] : []
  if (word.includes(':')) return [word, ...main]
  return [word, `key:${word}`, `sso:${word}`, ...main]
}

/** Addresses that a gateway reported, a line each. */
export const addressesIn = ({ addresses }: Readonly<Record<string, unknown>>): readonly string[] =>
  !Array.isArray(addresses)
    ? []
    : addresses.flatMap((one: unknown) =>
        isRecord(one) && typeof one['after'] === 'string'
          ? [
              `${String(one['type'])}: ${typeof one['before'] === 'string' ? one['before'] : 'none'} -> ${one['after']}`,
            ]
          : [],
      )
