/** The door of dynamic DNS: addresses that routers report. */
import type { Manifest } from '../../core/manifest.ts'
import { ddns } from './settings.ts'

export const DDNS = {
  name: 'ddns',
  settings: { ddns },
  settings_after: { ddns: 'dns' },
} satisfies Manifest
