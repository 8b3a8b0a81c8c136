/** The door of explaining: why a record is as it is. */
import type { Manifest } from '../../core/manifest.ts'

export const EXPLAIN = {
  name: 'explain',
} satisfies Manifest
