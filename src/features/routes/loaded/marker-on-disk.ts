/** Which rendering the routes file on disk is, by its own word. */
import type { ManagedFile } from '../../../ports/files.ts'
import { generationIn } from '../read/read-rendering.ts'
import { GENERATION_MARK } from '../render/names.ts'

/** The marker in the file; null where there is none. Throws a Failure where it cannot be read. */
export type MarkerOnDisk = (signal: AbortSignal) => Promise<string | null>

/** A file that did not change is not read again. */
export function markerOnDisk(file: Pick<ManagedFile, 'glance' | 'look'>): MarkerOnDisk {
  let known: { readonly glance: string; readonly marker: string | null } | null = null
  return async (signal) => {
    const glance = file.glance()
    if (glance !== null && known?.glance === glance) return known.marker
    const look = await file.look(signal)
    const generation = look.kind === 'file' ? generationIn([look.bytes]) : null
    const marker = generation === null ? null : GENERATION_MARK + generation
    known = glance === null ? null : { glance, marker }
    return marker
  }
}
