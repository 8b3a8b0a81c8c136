/** The door of the inventory, a companion: what runs where, which number and address is free. */
import type { Manifest } from '../../feature/manifest.ts'

export const INVENTORY = {
  name: 'inventory',
  settings: async () => ({ inventory: (await import('./settings.ts')).inventory }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'inventory',
      help: 'Says what runs where, what collides, what is nobody’s, and which numbers are free.',
      load: async () => (await import('./command.ts')).inventory,
    },
  ],
} satisfies Manifest
