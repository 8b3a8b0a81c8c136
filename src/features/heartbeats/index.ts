/** The door of heartbeats: watchers elsewhere that call in, and are missed here when they fall silent. */
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { Manifest } from '../../feature/manifest.ts'
import type { heartbeats } from './settings.ts'

export const HEARTBEATS = {
  name: 'heartbeats',
  settings: async () => ({ heartbeats: (await import('./settings.ts')).heartbeats }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'heartbeats',
      help: 'Watchers elsewhere that call in, and are missed when they fall silent.',
      load: async () => (await import('./command.ts')).heartbeats,
    },
  ],
  async build(core: Core, settings: { readonly heartbeats: ValuesOf<typeof heartbeats> }) {
    return (await import('./feature.ts')).heartbeatsFeature(settings.heartbeats, core)
  },
} satisfies Manifest
