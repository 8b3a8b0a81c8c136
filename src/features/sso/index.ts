/** The door of single sign-on: access rules and the proof that they hold. */
import type { Manifest } from '../../core/manifest.ts'
import { sso } from './settings.ts'

export const SSO = {
  name: 'sso',
  settings: { sso },
} satisfies Manifest
