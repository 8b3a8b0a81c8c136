/** Keys that callers alone have worked on for a while, or who has waited for long. */
import type { Controller } from './controller.ts'
import type { AnyTarget } from './target.ts'

/**
 * All of them at once; those that turn out to have nothing to do with the caller go on by themselves from then on.
 * @param concerned null where all of them have
 * @returns to be called once, at the end
 */
export function holdFor(
  controller: Pick<Controller, 'hold'>,
  keys: readonly string[],
  concerned: Promise<readonly Pick<AnyTarget, 'key'>[]> | null,
): () => void {
  const held = new Map(keys.map((key) => [key, controller.hold([key])]))
  const letGo = (key: string) => {
    held.get(key)?.()
    held.delete(key)
  }
  const others = async (found: Promise<readonly Pick<AnyTarget, 'key'>[]>) => {
    const own = new Set((await found).map(({ key }) => key))
    for (const key of keys) if (!own.has(key)) letGo(key)
  }
  // Where it cannot be told, they wait like the others.
  if (concerned !== null) others(concerned).catch(() => undefined)
  return () => keys.forEach(letGo)
}
