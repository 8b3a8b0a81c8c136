/**
 * All verbs in the order of the help text: those that the features bring, and those of the command itself. Each is loaded when
 * it is asked for: a command starts without the others, and lists them without loading one.
 */
import { type NamedVerb, TITLES, type VerbGroup } from './cli/verb.ts'
import type { Manifest } from './feature/manifest.ts'
import { FEATURES } from './features.ts'
import { inOrder } from './kernel/in-order.ts'

const OWN: readonly NamedVerb[] = [
  {
    title: 'How it is',
    name: 'doctor',
    after: 'notifications',
    help: 'Examines the installation, and says what would help.',
    load: async () => (await import('./cli/own/doctor.ts')).doctor,
  },
  {
    title: 'Running it',
    name: 'serve',
    help: 'Runs the daemon until it is told to stop.',
    load: async () => (await import('./cli/own/serve.ts')).serve,
  },
  {
    title: 'Running it',
    name: 'quickstart',
    help: 'Runs the daemon with a sample estate, and says where everything is.',
    load: async () => (await import('./cli/own/serve.ts')).quickstart,
  },
  {
    title: 'Running it',
    name: 'completion',
    help: 'Prints the completion for a shell.',
    load: async () => (await import('./cli/own/completion.ts')).completion,
  },
  {
    title: 'Running it',
    name: 'man',
    help: 'Prints the manual page.',
    load: async () => (await import('./cli/own/completion.ts')).man,
  },
  {
    title: 'Running it',
    name: 'version',
    help: 'Which version this is, and which one the daemon has.',
    load: async () => (await import('./cli/own/version.ts')).version,
  },
  {
    title: 'Running it',
    name: 'config',
    help: 'Shows the effective settings and where each comes from.',
    load: async () => (await import('./cli/own/config.ts')).config,
  },
  {
    title: 'Running it',
    name: 'install-unit',
    help: 'Writes hardened systemd units for these settings, or prints them.',
    load: async () => (await import('./service/command.ts')).installUnit,
  },
]

const ALL = [...(FEATURES as readonly Manifest[]).flatMap(({ verbs = [] }) => verbs), ...OWN]

const GROUPS = TITLES.map((title) => ({
  title,
  verbs: inOrder(
    ALL.filter((verb) => verb.title === title),
    'verb',
  ),
}))

export const VERBS: readonly NamedVerb[] = GROUPS.flatMap(({ verbs }) => verbs)

export const allVerbs = (): Promise<readonly VerbGroup[]> =>
  Promise.all(
    GROUPS.map(async ({ title, verbs }) => ({
      title,
      verbs: await Promise.all(verbs.map((verb) => verb.load())),
    })),
  )
