/** The door of certificates: obtained where an authority is set, and looked at as they are served. */
import type { Manifest } from '../../core/manifest.ts'
import { certificates } from './settings.ts'

export const CERTIFICATES = {
  name: 'certificates',
  settings: { certificates },
} satisfies Manifest
