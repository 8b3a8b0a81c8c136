/** The cause of one difference, from the digests of its three sides (null for absent). The table stands in `model/drift.ts`. */
import type { DriftCause } from '../model/drift.ts'

export interface SideDigests {
  readonly working: string | null
  readonly released: string | null
  readonly observed: string | null
}

/** What three sides alone can tell. */
export type SidesCause = Extract<
  DriftCause,
  'pending_deploy' | 'renderer_changed' | 'edited' | 'lost' | 'applied_unrecorded' | 'edited_and_pending'
>

/** Null when the working edition and the world agree with the released edition. */
export function causeOf(
  { working, released, observed }: SideDigests,
  rows_moved: boolean,
): SidesCause | null {
  const pending = rows_moved ? 'pending_deploy' : 'renderer_changed'
  if (working === released && released === observed) return null
  if (released === observed) return pending
  if (working === observed) return 'applied_unrecorded'
  if (observed === null) return working === released ? 'lost' : 'edited_and_pending'
  return working === released ? 'edited' : 'edited_and_pending'
}
