/** What the verbs of keys are given. */
import type { Ddns } from '../ddns/ddns.ts'
import type { Keys } from './key-view.ts'
import type { CoreParts } from '../../core/parts.ts'

export interface Deps extends CoreParts {
  readonly ddns: Ddns
  readonly keys: Keys
}
