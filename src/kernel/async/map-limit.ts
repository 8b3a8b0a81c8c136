/** Work on many things, a few at a time. */

/**
 * The answers in the order of the items. After a failure nothing more is begun; it is thrown when all that began have
 * ended, so that nothing goes on unseen.
 */
export async function mapLimit<T, R>(
  items: Iterable<T>,
  { at_once }: { readonly at_once: number },
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = []
  const rest = [...items].entries()
  let failed = false
  const lane = async () => {
    for (const [at, item] of rest) {
      if (failed) return
      try {
        answers[at] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: at_once }, lane))
  for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason
  return answers
}
