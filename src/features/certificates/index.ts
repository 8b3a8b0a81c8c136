/** The door of certificates: obtained where an authority is set, and looked at as they are served. */
import type { Manifest } from '../../feature/manifest.ts'

export const CERTIFICATES = {
  name: 'certificates',
  settings: async () => ({ certificates: (await import('./settings.ts')).certificates }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'certificates',
      help: 'Lists certificates, ours and the proxy’s, and obtains what is due.',
      load: async () => (await import('./command.ts')).certificates,
    },
  ],
} satisfies Manifest
