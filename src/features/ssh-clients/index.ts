/** The door of SSH clients: the restricted keys of the gateway. */
import type { Manifest } from '../../core/manifest.ts'
import { ssh } from './settings.ts'

export const SSH_CLIENTS = {
  name: 'ssh-clients',
  settings: { ssh },
  commands: {
    'ssh-clients': async () => (await import('./command.ts')).sshClients,
  },
} satisfies Manifest
