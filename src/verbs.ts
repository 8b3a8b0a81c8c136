/** All verbs in the order of the help text: the daemon's own around those of the features. Each is loaded when it is asked for. */
import type { NamedVerb } from './cli/run.ts'
import type { Manifest } from './core/manifest.ts'
import { FEATURES } from './features.ts'

const ofFeature = ({ commands = {} }: Manifest): readonly NamedVerb[] =>
  Object.entries(commands).map(([name, load]) => ({ name, load }))

export const VERBS: readonly NamedVerb[] = [
  { name: 'serve', load: async () => (await import('./cli/serve-verb.ts')).serve },
  { name: 'quickstart', load: async () => (await import('./cli/serve-verb.ts')).quickstart },
  ...FEATURES.flatMap(ofFeature),
  { name: 'doctor', load: async () => (await import('./cli/doctor-verb.ts')).doctor },
  { name: 'config', load: async () => (await import('./cli/config-verb.ts')).config },
  { name: 'install-unit', load: async () => (await import('./service/command.ts')).installUnit },
]
