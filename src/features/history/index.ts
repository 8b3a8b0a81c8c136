/** The door of the history: how the looks at each domain came out over the last day. */
import type { Manifest } from '../../core/manifest.ts'
import { history } from './settings.ts'

export const HISTORY = {
  name: 'history',
  settings: { history },
} satisfies Manifest
