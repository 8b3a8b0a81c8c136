/** The door of the network companion: what the network controllers have, and names for what they see. */
import type { Manifest } from '../../feature/manifest.ts'

export const NETWORK = {
  name: 'network',
  settings: async () => ({ network: (await import('./settings.ts')).network }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'network',
      help: 'Lists clients of the network, finds strangers among them, and names those that are guests.',
      load: async () => (await import('./command.ts')).network,
    },
  ],
} satisfies Manifest
