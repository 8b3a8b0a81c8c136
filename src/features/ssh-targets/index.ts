/** The door of SSH targets: what is reached through the SSH gateway by a name. */
import type { Manifest } from '../../core/manifest.ts'
import { ssh_targets } from './settings.ts'

export const SSH_TARGETS = {
  name: 'ssh-targets',
  settings: { ssh_targets },
} satisfies Manifest
