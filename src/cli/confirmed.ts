/** A call's path with the hash that the user types back to lift the guards that refused it. */
import type { VerbContext } from './verb.ts'

export function confirmed(path: string, options: VerbContext['options']): string {
  const confirm = options['confirm']
  return typeof confirm === 'string' ? `${path}?confirm=${encodeURIComponent(confirm)}` : path
}
