/** The door of domains: the records of what is public. */
import type { Manifest } from '../../core/manifest.ts'

export const DOMAINS = {
  name: 'domains',
} satisfies Manifest
