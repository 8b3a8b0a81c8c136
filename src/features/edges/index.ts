/** The door of edges: public ingress nodes that fetch the released routes. */
import type { Manifest } from '../../feature/manifest.ts'

export const EDGES = {
  name: 'edges',
  settings: async () => ({ edges: (await import('./settings.ts')).edges }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'edges',
      help: 'Other proxies, which fetch the released routes over HTTPS.',
      load: async () => (await import('./command.ts')).edges,
    },
  ],
} satisfies Manifest
