/**
 * The one list of verbs, in the order of the help text. Each is loaded when it is asked for, and the list names no settings of
 * features: a command starts without them.
 */
import type { Commands, VerbGroup } from './cli/verb.ts'
import type { NamedVerb } from './cli/run.ts'

interface Group {
  readonly title: string
  readonly commands: Commands
}

const GROUPS: readonly Group[] = [
  {
    title: 'Domains',
    commands: {
      domains: async () => (await import('./features/domains/command/list.ts')).domains,
      show: async () => (await import('./features/domains/command/show.ts')).show,
      add: async () => (await import('./features/domains/command/add.ts')).add,
      set: async () => (await import('./features/domains/command/set.ts')).set,
      edit: async () => (await import('./features/domains/command/edit.ts')).edit,
      rename: async () => (await import('./features/domains/command/set.ts')).rename,
      on: async () => (await import('./features/domains/command/status.ts')).on,
      off: async () => (await import('./features/domains/command/status.ts')).off,
      disable: async () => (await import('./features/domains/command/status.ts')).disable,
      rm: async () => (await import('./features/domains/command/status.ts')).rm,
      detect: async () => (await import('./features/domains/command/look.ts')).detect,
      open: async () => (await import('./features/domains/command/look.ts')).open,
    },
  },
  {
    title: 'Deploying',
    commands: {
      plan: async () => (await import('./features/deploy/plans/command.ts')).plan,
      apply: async () => (await import('./features/deploy/plans/apply-command.ts')).apply,
      deploy: async () => (await import('./features/deploy/command.ts')).deploy,
      reconcile: async () => (await import('./features/system/mode-command.ts')).reconcile,
      mode: async () => (await import('./features/system/mode-command.ts')).mode,
      releases: async () => (await import('./features/releases/command.ts')).releases,
      sync: async () => (await import('./features/import/sync-command.ts')).sync,
      import: async () => (await import('./features/import/import-command.ts')).importEstate,
      export: async () => (await import('./features/import/export-command.ts')).exportEstate,
      render: async () => (await import('./features/domains/render-command.ts')).render,
    },
  },
  {
    title: 'How it is',
    commands: {
      status: async () => (await import('./features/health/status-command.ts')).status,
      wait: async () => (await import('./features/explain/wait-command.ts')).wait,
      watch: async () => (await import('./features/system/watch-command.ts')).watch,
      explain: async () => (await import('./features/explain/command.ts')).explain,
      drift: async () => (await import('./features/explain/drift-command.ts')).drift,
      audit: async () => (await import('./features/system/audit-command.ts')).audit,
      notifications: async () => (await import('./features/notifications/command.ts')).notifications,
      doctor: async () => (await import('./cli/own/doctor.ts')).doctor,
      'external-check': async () => (await import('./features/external-check/command.ts')).externalCheckVerb,
      health: async () => (await import('./features/health/command.ts')).health,
    },
  },
  {
    title: 'What is kept true, and who may',
    commands: {
      dns: async () => (await import('./features/dns/command.ts')).dns,
      certificates: async () => (await import('./features/certificates/command.ts')).certificates,
      access: async () => (await import('./features/sso/command.ts')).access,
      users: async () => (await import('./features/people/command.ts')).users,
      'ssh-clients': async () => (await import('./features/ssh-clients/command.ts')).sshClients,
      edges: async () => (await import('./features/edges/command.ts')).edges,
      heartbeats: async () => (await import('./features/external-check/heartbeats-command.ts')).heartbeats,
      token: async () => (await import('./features/ddns/command.ts')).token,
      keys: async () => (await import('./features/keys/command.ts')).keys,
      mail: async () => (await import('./features/mail/command.ts')).mail,
      proxy: async () => (await import('./features/routes/command.ts')).proxy,
      ddns: async () => (await import('./features/ddns/command.ts')).ddns,
      'ssh-targets': async () => (await import('./features/ssh-targets/command.ts')).sshTargets,
      inventory: async () => (await import('./features/inventory/command.ts')).inventory,
      network: async () => (await import('./features/network/command.ts')).network,
      discover: async () => (await import('./features/discovery/command.ts')).discover,
    },
  },
  {
    title: 'Running it',
    commands: {
      serve: async () => (await import('./cli/own/serve.ts')).serve,
      quickstart: async () => (await import('./cli/own/serve.ts')).quickstart,
      completion: async () => (await import('./cli/own/completion.ts')).completion,
      man: async () => (await import('./cli/own/completion.ts')).man,
      version: async () => (await import('./cli/own/version.ts')).version,
      config: async () => (await import('./cli/own/config.ts')).config,
      'install-unit': async () => (await import('./service/command.ts')).installUnit,
    },
  },
]

export const VERBS: readonly NamedVerb[] = GROUPS.flatMap(({ commands }) =>
  Object.entries(commands).map(([name, load]) => ({ name, load })),
)

export const allVerbs = (): Promise<readonly VerbGroup[]> =>
  Promise.all(
    GROUPS.map(async ({ title, commands }) => ({
      title,
      verbs: await Promise.all(Object.values(commands).map((load) => load())),
    })),
  )
