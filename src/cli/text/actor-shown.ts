/** Whoever acted, as a person is shown them. */

/** As the trail calls the holder of the main key, which has no name of its own. */
export const MAIN_ACTOR = 'key'
export const MAIN = 'main'

/** `key main`, `key ci`; others as they are. */
export const actorShown = (actor: string): string =>
  actor === MAIN_ACTOR ? `key ${MAIN}` : actor.replace(/^key:/, 'key ')
