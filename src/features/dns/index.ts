/** The door of DNS: records in zones of several providers. */
import type { Manifest } from '../../feature/manifest.ts'

export const DNS = {
  name: 'dns',
  settings: async () => ({
    dns: (await import('./settings.ts')).dns,
    resolver: (await import('./resolver/settings.ts')).resolver,
  }),
  settings_after: { resolver: 'ddns' },
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'dns',
      help: 'Zones, records and whose each is; whether they have arrived.',
      load: async () => (await import('./command.ts')).dns,
    },
  ],
} satisfies Manifest
