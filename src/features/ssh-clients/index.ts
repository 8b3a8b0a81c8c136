/** The door of SSH clients: the restricted keys of the gateway. */
import type { Manifest } from '../../feature/manifest.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { ssh } from './settings.ts'

export const SSH_CLIENTS = {
  name: 'ssh-clients',
  settings: async () => ({ ssh: (await import('./settings.ts')).ssh }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'ssh-clients',
      help: 'Keys that may log in to the SSH gateway.',
      load: async () => (await import('./command.ts')).sshClients,
    },
  ],
  async build(core: Core, settings: { readonly ssh: ValuesOf<typeof ssh> }) {
    return (await import('./feature.ts')).sshClientsFeature(settings.ssh, core)
  },
} satisfies Manifest
