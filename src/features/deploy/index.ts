/** The door of deploying: from saved to released to proven. */
import type { Manifest } from '../../core/manifest.ts'

export const DEPLOY = {
  name: 'deploy',
} satisfies Manifest
