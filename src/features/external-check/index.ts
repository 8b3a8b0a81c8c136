/** The door of the external check, which looks at the hub from another machine: no part of it runs in the daemon. */
import type { Manifest } from '../../feature/manifest.ts'

export const EXTERNAL_CHECK = {
  name: 'external-check',
  settings: async () => ({ external: (await import('./settings.ts')).external }),
  verbs: [
    {
      title: 'How it is',
      name: 'external-check',
      help: 'Looks at the hub from another machine, writes the result, and mails on loss and on recovery.',
      load: async () => (await import('./command.ts')).externalCheckVerb,
    },
  ],
} satisfies Manifest
