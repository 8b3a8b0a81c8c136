/** The door of the system: version, events, operations, modes and the audit trail. */
import type { Manifest } from '../../core/manifest.ts'

export const SYSTEM = {
  name: 'system',
} satisfies Manifest
