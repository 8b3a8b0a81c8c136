/** The door of notifications: troubles, and who is told of them. */
import type { Manifest } from '../../core/manifest.ts'
import { notify } from './settings.ts'

export const NOTIFICATIONS = {
  name: 'notifications',
  settings: { notify },
} satisfies Manifest
