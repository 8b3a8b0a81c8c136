/** The door of the network companion: what the network controllers have, and names for what they see. */
import type { Manifest } from '../../core/manifest.ts'
import { network } from './settings.ts'

export const NETWORK = {
  name: 'network',
  settings: { network },
} satisfies Manifest
