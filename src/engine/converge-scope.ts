/** In which direction a deploy works, on what, and who is told how it comes along. */
import type { ConvergeProgress } from './progress.ts'

/** Opening works in the order of the targets, closing in the reverse. */
export type Direction = 'open' | 'close'

export interface ConvergeScope {
  /** Only this component. */
  readonly component?: string
  /** Not this one. */
  readonly except?: string
  /** Only what has to do with these records; everything when there are none. */
  readonly domain_ids?: readonly number[]
  /** Only these keys, whatever records they have to do with. */
  readonly keys?: readonly string[]
  /** Also what no release concerns. */
  readonly everything?: boolean
  /** Every record is asked for, not only those named. */
  readonly whole?: true
  readonly progress?: ConvergeProgress | undefined
}
