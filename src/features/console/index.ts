/** The door of the console: its page, and who may sign in to it. */
import type { Manifest } from '../../core/manifest.ts'
import { console } from './settings.ts'

export const CONSOLE = {
  name: 'console',
  settings: { console },
} satisfies Manifest
