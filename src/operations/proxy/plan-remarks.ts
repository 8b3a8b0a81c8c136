/** What keeps the proxy from serving what a plan would write, told before it is written. */
import type { Deps } from '../deps.ts'
import { entrypointRemarks } from './entrypoints.ts'
import { folderDrift } from './folder-drift.ts'

export async function planRemarks(deps: Deps, signal: AbortSignal): Promise<readonly string[]> {
  const [doors, { differences }] = await Promise.all([
    entrypointRemarks(deps, signal),
    folderDrift(deps, signal),
  ])
  return [
    ...doors,
    ...differences.map(({ item, detail }) => (detail.includes(item) ? detail : `${item}: ${detail}`)),
  ]
}
