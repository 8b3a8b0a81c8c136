/** The door of people: the users file of the SSO provider, invitations and passwords. */
import type { Manifest } from '../../core/manifest.ts'
import { people } from './settings.ts'

export const PEOPLE = {
  name: 'people',
  settings: { people },
  settings_after: { people: 'sso' },
} satisfies Manifest
