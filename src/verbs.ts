/**
 * The one list of verbs, in the order of the help text, each with its sentence, which a test holds to that of the verb. Each is
 * loaded when it is asked for, and the list names no settings of features: a command starts without them, and lists them without
 * loading one.
 */
import type { Commands, NamedVerb, VerbGroup } from './cli/verb.ts'

interface Group {
  readonly title: string
  readonly commands: Commands
}

const GROUPS: readonly Group[] = [
  {
    title: 'Domains',
    commands: {
      domains: [
        'Lists the domains, with what is known of each.',
        async () => (await import('./features/domains/command/list.ts')).domains,
      ],
      show: ['Shows one domain.', async () => (await import('./features/domains/command/show.ts')).show],
      add: [
        'Adds a domain and deploys it.',
        async () => (await import('./features/domains/command/add.ts')).add,
      ],
      check: [
        'Says whether a new name and its backend would do.',
        async () => (await import('./features/explain/check/command.ts')).check,
      ],
      set: [
        'Changes fields of a domain, and saves them.',
        async () => (await import('./features/domains/command/set.ts')).set,
      ],
      edit: [
        'Edits a domain in your editor.',
        async () => (await import('./features/domains/command/edit.ts')).edit,
      ],
      discard: [
        'Gives up what is saved of a domain and not deployed.',
        async () => (await import('./features/domains/command/discard.ts')).discard,
      ],
      rename: [
        'Gives a domain another name.',
        async () => (await import('./features/domains/command/set.ts')).rename,
      ],
      on: [
        'Activates a domain and deploys it.',
        async () => (await import('./features/domains/command/status.ts')).on,
      ],
      off: [
        'Takes a domain out of what is served; the record and its DNS are kept.',
        async () => (await import('./features/domains/command/status.ts')).off,
      ],
      disable: [
        'Disables a domain for good.',
        async () => (await import('./features/domains/command/status.ts')).disable,
      ],
      rm: [
        'Deletes a domain and all that is ours of it.',
        async () => (await import('./features/domains/command/status.ts')).rm,
      ],
      detect: [
        'Asks a backend what it speaks, and suggests a service type.',
        async () => (await import('./features/domains/command/look.ts')).detect,
      ],
      open: [
        'Opens a domain in the browser.',
        async () => (await import('./features/domains/command/look.ts')).open,
      ],
    },
  },
  {
    title: 'Deploying',
    commands: {
      plan: [
        'Shows what a deploy would do, and keeps the plan.',
        async () => (await import('./features/deploy/plans/command.ts')).plan,
      ],
      apply: [
        'Applies a plan that "plumbline plan" made, exactly as it is.',
        async () => (await import('./features/deploy/plans/apply-command.ts')).apply,
      ],
      deploy: [
        'Brings out what is saved.',
        async () => (await import('./features/deploy/command.ts')).deploy,
      ],
      reconcile: [
        'Looks at the world now, and brings it to what was released.',
        async () => (await import('./features/system/mode-command.ts')).reconcile,
      ],
      mode: [
        'How far the reconciler may go on its own.',
        async () => (await import('./features/system/mode-command.ts')).mode,
      ],
      releases: [
        'What was deployed and when; what lies between two, and the way back to one.',
        async () => (await import('./features/releases/command.ts')).releases,
      ],
      sync: [
        'Brings the records to what an estate document says.',
        async () => (await import('./features/import/sync-command.ts')).sync,
      ],
      import: [
        'Takes an estate document, or reads hand-written Traefik files.',
        async () => (await import('./features/import/import-command.ts')).importEstate,
      ],
      export: [
        'Writes all records as one YAML document.',
        async () => (await import('./features/import/export-command.ts')).exportEstate,
      ],
      render: [
        'Prints the routes file that the database asks for.',
        async () => (await import('./features/domains/render-command.ts')).render,
      ],
    },
  },
  {
    title: 'How it is',
    commands: {
      status: [
        'Shows whether all is well, what was deployed, and whether the proxy runs it.',
        async () => (await import('./features/health/status-command.ts')).status,
      ],
      wait: [
        'Waits until the world is what the database says.',
        async () => (await import('./features/explain/wait-command.ts')).wait,
      ],
      watch: [
        'Shows what happens, as it happens.',
        async () => (await import('./features/system/watch-command.ts')).watch,
      ],
      explain: [
        'Says why a domain is as it is.',
        async () => (await import('./features/explain/command.ts')).explain,
      ],
      history: [
        'Shows how the looks at a domain came out over the last day.',
        async () => (await import('./features/history/command.ts')).history,
      ],
      drift: [
        'Compares everything that is kept true with the database.',
        async () => (await import('./features/explain/drift-command.ts')).drift,
      ],
      search: [
        'Finds domains, people, records, edges, releases, requests and settings by a word.',
        async () => (await import('./features/dashboard/search/command.ts')).search,
      ],
      audit: [
        'Shows who changed what, when, and at whose request.',
        async () => (await import('./features/system/audit-command.ts')).audit,
      ],
      alerts: [
        'What fires at the alert router, and who has taken it up.',
        async () => (await import('./features/alerting/command.ts')).alerts,
      ],
      notifications: [
        'Lists what is wrong and who was notified of it.',
        async () => (await import('./features/notifications/command.ts')).notifications,
      ],
      doctor: [
        'Examines the installation, and says what would help.',
        async () => (await import('./cli/own/doctor.ts')).doctor,
      ],
      'external-check': [
        'Looks at the hub from another machine, writes the result, and mails on loss and on recovery.',
        async () => (await import('./features/external-check/command.ts')).externalCheckVerb,
      ],
      health: [
        'Asks the running daemon whether it is alive.',
        async () => (await import('./features/health/command.ts')).health,
      ],
    },
  },
  {
    title: 'What is kept true, and who may',
    commands: {
      dns: [
        'Zones, records and whose each is; whether they have arrived.',
        async () => (await import('./features/dns/command.ts')).dns,
      ],
      certificates: [
        'Lists certificates, ours and the proxy’s, and obtains what is due.',
        async () => (await import('./features/certificates/command.ts')).certificates,
      ],
      access: [
        'Who can open what, and whether protected domains are protected.',
        async () => (await import('./features/sso/command.ts')).access,
      ],
      users: [
        'People who may sign in: inviting them, their groups, ending their access.',
        async () => (await import('./features/people/command.ts')).users,
      ],
      'ssh-clients': [
        'Keys that may log in to the SSH gateway.',
        async () => (await import('./features/ssh-clients/command.ts')).sshClients,
      ],
      edges: [
        'Other proxies, which fetch the released routes over HTTPS.',
        async () => (await import('./features/edges/command.ts')).edges,
      ],
      heartbeats: [
        'Watchers elsewhere that call in, and are missed when they fall silent.',
        async () => (await import('./features/heartbeats/command.ts')).heartbeats,
      ],
      token: [
        'Dynamic DNS: keys with which gateways report their address, and what they reported.',
        async () => (await import('./features/ddns/command.ts')).token,
      ],
      keys: [
        'Keys of this API, and how old every credential is.',
        async () => (await import('./features/keys/command.ts')).keys,
      ],
      mail: [
        'Whether mail can be sent, by whom, and one mail.',
        async () => (await import('./features/mail/command.ts')).mail,
      ],
      proxy: [
        'Middlewares, backends and figures of the proxy.',
        async () => (await import('./features/routes/command.ts')).proxy,
      ],
      ddns: [
        'Names whose address changes: how they are, and an update that is forced.',
        async () => (await import('./features/ddns/command.ts')).ddns,
      ],
      'ssh-targets': [
        'What is reached through the SSH gateway by a name.',
        async () => (await import('./features/ssh-targets/command.ts')).sshTargets,
      ],
      inventory: [
        'Says what runs where, what collides, what is nobody’s, and which numbers are free.',
        async () => (await import('./features/inventory/command.ts')).inventory,
      ],
      network: [
        'Lists clients of the network, finds strangers among them, and names those that are guests.',
        async () => (await import('./features/network/command.ts')).network,
      ],
      vpn: [
        'Shows the sites and peers of the VPN, and makes the files of devices.',
        async () => (await import('./features/vpn/command.ts')).vpn,
      ],
      discover: [
        'Says what runs and has no domain, and which domains point at nothing.',
        async () => (await import('./features/discovery/command.ts')).discover,
      ],
    },
  },
  {
    title: 'Running it',
    commands: {
      serve: [
        'Runs the daemon until it is told to stop.',
        async () => (await import('./cli/own/serve.ts')).serve,
      ],
      quickstart: [
        'Runs the daemon with a sample estate, and says where everything is.',
        async () => (await import('./cli/own/serve.ts')).quickstart,
      ],
      console: [
        'Prints a link that signs a browser on this host in to the web console.',
        async () => (await import('./features/console/command.ts')).console,
      ],
      completion: [
        'Prints the completion for a shell.',
        async () => (await import('./cli/own/completion.ts')).completion,
      ],
      man: ['Prints the manual page.', async () => (await import('./cli/own/completion.ts')).man],
      version: [
        'Which version this is, and which one the daemon has.',
        async () => (await import('./cli/own/version.ts')).version,
      ],
      config: [
        'Shows the effective settings and where each comes from.',
        async () => (await import('./cli/own/config.ts')).config,
      ],
      'install-unit': [
        'Writes hardened systemd units for these settings, or prints them.',
        async () => (await import('./service/command.ts')).installUnit,
      ],
    },
  },
]

export const VERBS: readonly NamedVerb[] = GROUPS.flatMap(({ title, commands }) =>
  Object.entries(commands).map(([name, [help, load]]) => ({ name, title, help, load })),
)

export const allVerbs = (): Promise<readonly VerbGroup[]> =>
  Promise.all(
    GROUPS.map(async ({ title, commands }) => ({
      title,
      verbs: await Promise.all(Object.values(commands).map(([, load]) => load())),
    })),
  )
