/** The door of discovery: what runs in the network. */
import type { Manifest } from '../../feature/manifest.ts'

export const DISCOVERY = {
  name: 'discovery',
  settings: async () => ({
    docker: (await import('./settings/docker.ts')).docker,
    proxmox: (await import('./settings/proxmox.ts')).proxmox,
    unifi: (await import('./settings/unifi.ts')).unifi,
  }),
  settings_after: { docker: 'notify' },
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'discover',
      after: 'vpn',
      help: 'Says what runs and has no domain, and which domains point at nothing.',
      load: async () => (await import('./command.ts')).discover,
    },
  ],
} satisfies Manifest
