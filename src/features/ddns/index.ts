/** The door of dynamic DNS: addresses that routers report. */
import type { Manifest } from '../../feature/manifest.ts'

export const DDNS = {
  name: 'ddns',
  settings: async () => ({ ddns: (await import('./settings.ts')).ddns }),
  settings_after: { ddns: 'dns' },
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'token',
      after: 'heartbeats',
      help: 'Dynamic DNS: keys with which gateways report their address, and what they reported.',
      load: async () => (await import('./command.ts')).token,
    },
    {
      title: 'What is kept true, and who may',
      name: 'ddns',
      after: 'proxy',
      help: 'Names whose address changes: how they are, and an update that is forced.',
      load: async () => (await import('./command.ts')).ddns,
    },
  ],
} satisfies Manifest
