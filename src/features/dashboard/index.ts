/** The door of the overview: the installation in one answer. */
import type { Manifest } from '../../core/manifest.ts'

export const DASHBOARD = {
  name: 'dashboard',
} satisfies Manifest
