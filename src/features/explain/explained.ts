/** The answer to "why is this domain as it is", before what can be done about it is added. */
import type { WithoutActs } from '../../http/difference-views.ts'
import type { SidesOf } from '../../model/sides/sides.ts'
import type { ExplainedDomain as WithActs } from './views.ts'

export type ExplainedDomain = Omit<WithActs, 'acts' | 'components' | 'served'> & {
  readonly components: readonly ExplainedComponent[]
  readonly served: ServedState | null
}

export type ExplainedComponent = WithoutActs<WithActs['components'][number]> & {
  readonly sidesOf?: SidesOf | undefined
}

/** Loaded is not served. */
export type ServedState = WithoutActs<NonNullable<WithActs['served']>>

export type SignInFault = WithActs['sign_in'][number]
