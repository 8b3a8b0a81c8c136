/** The door of keys of the API, and how old every credential is. */
import type { Manifest } from '../../core/manifest.ts'

export const KEYS = {
  name: 'keys',
} satisfies Manifest
