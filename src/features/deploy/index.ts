/** The door of deploying: from saved to released to proven. */
import type { Manifest } from '../../feature/manifest.ts'

export const DEPLOY = {
  name: 'deploy',
  verbs: [
    {
      title: 'Deploying',
      name: 'plan',
      help: 'Shows what a deploy would do, and keeps the plan.',
      load: async () => (await import('./plans/command.ts')).plan,
    },
    {
      title: 'Deploying',
      name: 'apply',
      help: 'Applies a plan that "plumbline plan" made, exactly as it is.',
      load: async () => (await import('./plans/apply-command.ts')).apply,
    },
    {
      title: 'Deploying',
      name: 'deploy',
      help: 'Brings out what is saved.',
      load: async () => (await import('./command.ts')).deploy,
    },
  ],
} satisfies Manifest
