/** The door of the VPN companion. */
import type { Manifest } from '../../feature/manifest.ts'

export const VPN = {
  name: 'vpn',
  settings: async () => ({ vpn: (await import('./settings.ts')).vpn }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'vpn',
      help: 'Shows the sites and peers of the VPN, and makes the files of devices.',
      load: async () => (await import('./command.ts')).vpn,
    },
  ],
} satisfies Manifest
