/** The door of keys of the API, and how old every credential is. */
import type { Manifest } from '../../feature/manifest.ts'

export const KEYS = {
  name: 'keys',
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'keys',
      help: 'Keys of this API, and how old every credential is.',
      load: async () => (await import('./command.ts')).keys,
    },
  ],
} satisfies Manifest
