/** The door of importing: an estate as one file, and what people already have. */
import type { Manifest } from '../../core/manifest.ts'

export const IMPORT = {
  name: 'import',
} satisfies Manifest
