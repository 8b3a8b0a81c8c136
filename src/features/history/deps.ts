/** What is asked about the history is answered from. */
import type { CoreParts } from '../../core/parts.ts'
import type { ProbeHistory } from './probe-history.ts'

export interface Deps extends Pick<CoreParts, 'store' | 'clock'> {
  readonly history: ProbeHistory
}
