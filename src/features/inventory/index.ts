/** The door of the inventory, a companion: what runs where, which number and address is free. */
import type { Manifest } from '../../core/manifest.ts'
import { inventory } from './settings.ts'

export const INVENTORY = {
  name: 'inventory',
  settings: { inventory },
} satisfies Manifest
