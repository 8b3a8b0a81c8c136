/** The door of SSH clients: the restricted keys of the gateway. */
import type { Manifest } from '../../core/manifest.ts'
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import { ssh } from './settings.ts'

export const SSH_CLIENTS = {
  name: 'ssh-clients',
  settings: { ssh },
  async build(core: Core, settings: { readonly ssh: ValuesOf<typeof ssh> }) {
    return (await import('./feature.ts')).sshClientsFeature(settings.ssh, core)
  },
} satisfies Manifest
