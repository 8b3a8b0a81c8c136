/** The door of routes: the file of the proxy, and what the proxy has loaded of it. */
import type { Manifest } from '../../feature/manifest.ts'

export const ROUTES = {
  name: 'routes',
  settings: async () => ({
    routes: (await import('./settings.ts')).routes,
    traefik: (await import('./traefik/settings.ts')).traefik,
  }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'proxy',
      after: 'mail',
      help: 'Middlewares, backends and figures of the proxy.',
      load: async () => (await import('./command.ts')).proxy,
    },
  ],
} satisfies Manifest
