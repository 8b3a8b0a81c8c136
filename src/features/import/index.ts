/** The door of importing: an estate as one file, and what people already have. */
import type { Manifest } from '../../feature/manifest.ts'

export const IMPORT = {
  name: 'import',
  verbs: [
    {
      title: 'Deploying',
      name: 'sync',
      help: 'Brings the records to what an estate document says.',
      load: async () => (await import('./sync-command.ts')).sync,
    },
    {
      title: 'Deploying',
      name: 'import',
      help: 'Takes an estate document, or reads hand-written Traefik files.',
      load: async () => (await import('./import-command.ts')).importEstate,
    },
    {
      title: 'Deploying',
      name: 'export',
      help: 'Writes all records as one YAML document.',
      load: async () => (await import('./export-command.ts')).exportEstate,
    },
  ],
} satisfies Manifest
