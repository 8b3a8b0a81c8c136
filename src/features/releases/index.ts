/** The door of releases: the history of what was deployed. */
import type { Manifest } from '../../core/manifest.ts'

export const RELEASES = {
  name: 'releases',
} satisfies Manifest
