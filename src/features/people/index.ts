/** The door of people: the users file of the SSO provider, invitations and passwords. */
import type { Manifest } from '../../feature/manifest.ts'

export const PEOPLE = {
  name: 'people',
  settings: async () => ({ people: (await import('./settings.ts')).people }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'users',
      help: 'People who may sign in: inviting them, their groups, ending their access.',
      load: async () => (await import('./command.ts')).users,
    },
  ],
} satisfies Manifest
