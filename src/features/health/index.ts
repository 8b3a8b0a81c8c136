/** The door of health: one verdict over everything. */
import type { Manifest } from '../../core/manifest.ts'

export const HEALTH = {
  name: 'health',
} satisfies Manifest
