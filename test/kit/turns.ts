/** How many turns of the event loop others have while something is done. */

export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}
