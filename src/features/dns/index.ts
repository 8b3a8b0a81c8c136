/** The door of DNS: records in zones of several providers. */
import type { Manifest } from '../../core/manifest.ts'
import { dns } from './settings.ts'
import { resolver } from './resolver/settings.ts'

export const DNS = {
  name: 'dns',
  settings: { dns, resolver },
  settings_after: { resolver: 'ddns' },
} satisfies Manifest
