/** What the verbs of import are given. */
import type { Deps as DomainsDeps } from '../domains/deps.ts'

export type Deps = DomainsDeps
