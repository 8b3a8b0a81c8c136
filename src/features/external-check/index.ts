/** The door of the external check: looks at the hub from another machine, and is missed here when it falls silent. */
import type { ValuesOf } from '../../config/setting.ts'
import type { Core } from '../../core/core.ts'
import type { Manifest } from '../../core/manifest.ts'
import { external, heartbeats } from './settings.ts'

export const EXTERNAL_CHECK = {
  name: 'external-check',
  settings: { external, heartbeats },
  async build(core: Core, settings: { readonly heartbeats: ValuesOf<typeof heartbeats> }) {
    return (await import('./feature.ts')).externalCheckFeature(settings.heartbeats, core)
  },
} satisfies Manifest
