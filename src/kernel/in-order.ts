/** Things in the order of a list, but each that names another one directly behind that. */

export interface Placed {
  readonly name: string
  /** Left out, it comes where the list has it. */
  readonly after?: string | null
}

/** Throws for two of one name, and for one that names none of them. @param what of them is said there, as one word */
export function inOrder<One extends Placed>(all: readonly One[], what: string): readonly One[] {
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new Error(`Two ${what}s have one name.`)
  const behind = (place: string | null): readonly One[] =>
    all.filter(({ after = null }) => after === place).flatMap((one) => [one, ...behind(one.name)])
  const placed = behind(null)
  const lost = all.filter((one) => !placed.includes(one))
  if (lost.length > 0)
    throw new Error(`No ${what} is where these come behind it: ${lost.map(({ name }) => name).join(', ')}.`)
  return placed
}
