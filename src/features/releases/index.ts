/** The door of releases: the history of what was deployed. */
import type { Manifest } from '../../feature/manifest.ts'

export const RELEASES = {
  name: 'releases',
  verbs: [
    {
      title: 'Deploying',
      name: 'releases',
      help: 'What was deployed and when; what lies between two, and the way back to one.',
      load: async () => (await import('./command.ts')).releases,
    },
  ],
} satisfies Manifest
