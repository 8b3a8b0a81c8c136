/** What the verbs of ddns are given. */
import type { CoreParts } from '../../core/parts.ts'
import type { Ddns } from './ddns.ts'

export interface Deps extends CoreParts {
  readonly ddns: Ddns
}
