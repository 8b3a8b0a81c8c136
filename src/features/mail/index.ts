/** The door of mail: messages that callers and other features send. */
import type { Manifest } from '../../core/manifest.ts'
import { mail } from './settings.ts'

export const MAIL = {
  name: 'mail',
  settings: { mail },
} satisfies Manifest
