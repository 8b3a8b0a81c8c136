/** The door of the VPN companion. */
import type { Manifest } from '../../core/manifest.ts'
import { vpn } from './settings.ts'

export const VPN = {
  name: 'vpn',
  settings: { vpn },
} satisfies Manifest
