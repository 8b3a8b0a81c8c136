/**
 * What is limited for everybody together is not used up by those who may only look, or who show nothing that says who they are:
 * some of it is left to those who may change. Pure.
 */

/** How much of it may be taken at the same time. */
export interface Shares {
  readonly all: number
  /** By those who may only look, together. */
  readonly readers: number
  /** By one of them. */
  readonly reader: number
}

/** The name of whoever may only look, or shows nothing; null for everybody else. */
export type Reader = string | null

export const readerAmong = ({
  may,
  actor,
  holder,
}: {
  readonly may: 'change' | 'read' | null
  readonly actor: { readonly name: string }
  /** Under what its calls are counted: whoever shows nothing has no name of its own. */
  readonly holder: string
}): Reader => (may === 'change' ? null : may === 'read' ? actor.name : `${actor.name} ${holder}`)

/** Which of the shares is used up for one more of this caller; null: none. @param all that is taken, by whom each */
export function usedUp(
  all: Iterable<{ readonly reader: Reader }>,
  one: Reader,
  shares: Shares,
): keyof Shares | null {
  const taken = Array.from(all, ({ reader }) => reader)
  if (taken.length >= shares.all) return 'all'
  if (one === null) return null
  if (taken.filter((reader) => reader !== null).length >= shares.readers) return 'readers'
  return taken.filter((reader) => reader === one).length >= shares.reader ? 'reader' : null
}
