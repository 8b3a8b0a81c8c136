/** The door of deploying: from saved to released to proven. */
import type { Manifest } from '../../core/manifest.ts'

export const DEPLOY = {
  name: 'deploy',
  commands: {
    plan: async () => (await import('./plans/command.ts')).plan,
    apply: async () => (await import('./plans/apply-command.ts')).apply,
    deploy: async () => (await import('./command.ts')).deploy,
  },
} satisfies Manifest
