/** The door of mail: messages that callers and other features send. */
import type { Manifest } from '../../feature/manifest.ts'

export const MAIL = {
  name: 'mail',
  settings: async () => ({ mail: (await import('./settings.ts')).mail }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'mail',
      after: 'keys',
      help: 'Whether mail can be sent, by whom, and one mail.',
      load: async () => (await import('./command.ts')).mail,
    },
  ],
} satisfies Manifest
