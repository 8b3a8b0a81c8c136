/** What is wanted whatever domains there are: that something agrees with the database, or with the settings. */
import { sha256 } from '../kernel/digest.ts'
import type { Target } from './target.ts'

export interface Constant {
  readonly agrees_with: 'database' | 'settings'
}

/** @param sentence all that a release freezes of it; another one would make every kept release differ */
export function constant(agrees_with: Constant['agrees_with'], sentence: string) {
  const desired: Constant = { agrees_with }
  const bytes = Buffer.from(`${sentence}\n`)
  return {
    constant: true,
    reads: [],
    desire: () => desired,
    codec: { freeze: () => ({ digest: sha256([bytes]), chunks: [bytes] }), thaw: () => desired },
    concerns: () => false,
  } satisfies Partial<Target<Constant, unknown, unknown>>
}
