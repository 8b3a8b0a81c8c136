/** The door of SSH targets: what is reached through the SSH gateway by a name. */
import type { Manifest } from '../../feature/manifest.ts'

export const SSH_TARGETS = {
  name: 'ssh-targets',
  settings: async () => ({ ssh_targets: (await import('./settings.ts')).ssh_targets }),
  verbs: [
    {
      title: 'What is kept true, and who may',
      name: 'ssh-targets',
      after: 'ddns',
      help: 'What is reached through the SSH gateway by a name.',
      load: async () => (await import('./command.ts')).sshTargets,
    },
  ],
} satisfies Manifest
