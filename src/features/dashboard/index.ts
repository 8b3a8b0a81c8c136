/** The door of the overview: the installation in one answer. */
import type { Manifest } from '../../feature/manifest.ts'

export const DASHBOARD = {
  name: 'dashboard',
  verbs: [
    {
      title: 'How it is',
      name: 'search',
      help: 'Finds domains, people, records, edges, releases, requests and settings by a word.',
      load: async () => (await import('./search/command.ts')).search,
    },
  ],
} satisfies Manifest
