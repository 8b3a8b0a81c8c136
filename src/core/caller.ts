/** Who calls, and how. */
import type { ConvergeProgress } from '../engine/progress.ts'
import type { Actor } from '../model/actor.ts'
import type { Subjects } from './subjects.ts'

export interface Caller {
  readonly actor: Actor
  /** Answer with the plan and change nothing. */
  readonly dry_run: boolean
  /** The revision that the caller has seen (`If-Match`), or null when it does not say. */
  readonly if_match: number | null
  /** A plan's hash typed back, which lifts the guards that the plan told of; null when none is. */
  readonly confirm: string | null
  readonly signal: AbortSignal
  /** Told how far it has come with the world. */
  readonly progress?: ConvergeProgress | undefined
  /** Told whom the call turns out to be about. */
  readonly subjects?: Subjects | undefined
}
