/** The door of single sign-on: access rules and the proof that they hold. */
import type { Manifest } from '../../feature/manifest.ts'

export const SSO = {
  name: 'sso',
  settings: async () => ({ sso: (await import('./settings.ts')).sso }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'access',
      help: 'Who can open what, and whether protected domains are protected.',
      load: async () => (await import('./command.ts')).access,
    },
  ],
} satisfies Manifest
