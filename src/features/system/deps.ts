/** What the verbs of the system are given. */
import type { CoreParts } from '../../core/parts.ts'

export type Deps = CoreParts
