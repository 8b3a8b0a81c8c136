/** The door of the lamps: how each domain is, by what is known already. */
import type { Manifest } from '../../feature/manifest.ts'

export const LAMPS = {
  name: 'lamps',
} satisfies Manifest
