/** What a child is told to do: which steps, in which folder, and what shall go wrong. */
import { join } from 'node:path'
import type { Fault } from './failpoints.ts'

export interface Order {
  readonly folder: string
  /** Names of the flow's steps. */
  readonly steps: readonly string[]
  readonly fault: Fault | null
  /** Name of a bug to put in. */
  readonly bug: string | null
  readonly manner: Manner
}

/**
 * plain: an answer that is an error ends the child. shown: likewise, and notes what stands after each step. patient:
 * calls again. returning: calls as soon as the daemon listens, and again what may have been done before.
 */
export type Manner = 'plain' | 'shown' | 'patient' | 'returning'

/** No child lives longer. */
export const MOST_MS = 60_000

/** The child prints this when it hangs at its point. */
export const HANGING = 'hanging'

export const dataIn = (folder: string): string => join(folder, 'data')

/** As an operator would set them; the port is any free one on loopback. */
export const environmentFor = (folder: string): Record<string, string> => ({
  PLUMBLINE_DATA_DIR: dataIn(folder),
  PLUMBLINE_LISTEN: '127.0.0.1:0',
})
