/** What of the world a call works on. Its plan looks at that and at nothing else, so that it shows what the call does. */
import type { Whose } from '../model/whose.ts'
import type { AnyTarget } from './target.ts'

export interface Reach {
  /** For which records: keys that have nothing to do with them come at their own time. */
  readonly records: Whose
  /** Only this component. */
  readonly component?: string
  /** Not these. */
  readonly except?: readonly string[]
  /** Also what no release concerns, such as the keys of a gateway. */
  readonly everything?: boolean
}

/** As far as components go; whose a key is has to be asked of the key. */
export const reaches = (
  { component, except, everything = false }: Reach,
  { name, constant }: Pick<AnyTarget, 'name' | 'constant'>,
): boolean =>
  except?.includes(name) !== true &&
  (component === undefined ? everything || constant !== true : component === name)
