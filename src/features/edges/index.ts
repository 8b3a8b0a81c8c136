/** The door of edges: public ingress nodes that fetch the released routes. */
import type { Manifest } from '../../core/manifest.ts'
import { edges } from './settings.ts'

export const EDGES = {
  name: 'edges',
  settings: { edges },
} satisfies Manifest
