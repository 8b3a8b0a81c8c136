/** The door of the external check, which looks at the hub from another machine: no part of it runs in the daemon. */
import type { Manifest } from '../../core/manifest.ts'
import { external } from './settings.ts'

export const EXTERNAL_CHECK = {
  name: 'external-check',
  settings: { external },
} satisfies Manifest
