/** The door of domains: the records of what is public. */
import type { Manifest } from '../../feature/manifest.ts'

export const DOMAINS = {
  name: 'domains',
  verbs: [
    {
      title: 'Domains',
      name: 'domains',
      help: 'Lists the domains, with what is known of each.',
      load: async () => (await import('./command/list.ts')).domains,
    },
    {
      title: 'Domains',
      name: 'show',
      help: 'Shows one domain.',
      load: async () => (await import('./command/show.ts')).show,
    },
    {
      title: 'Domains',
      name: 'add',
      help: 'Adds a domain and deploys it.',
      load: async () => (await import('./command/add.ts')).add,
    },
    {
      title: 'Domains',
      name: 'set',
      help: 'Changes fields of a domain, and saves them.',
      load: async () => (await import('./command/set.ts')).set,
    },
    {
      title: 'Domains',
      name: 'edit',
      help: 'Edits a domain in your editor.',
      load: async () => (await import('./command/edit.ts')).edit,
    },
    {
      title: 'Domains',
      name: 'discard',
      help: 'Gives up what is saved of a domain and not deployed.',
      load: async () => (await import('./command/discard.ts')).discard,
    },
    {
      title: 'Domains',
      name: 'rename',
      help: 'Gives a domain another name.',
      load: async () => (await import('./command/set.ts')).rename,
    },
    {
      title: 'Domains',
      name: 'on',
      help: 'Activates a domain and deploys it.',
      load: async () => (await import('./command/status.ts')).on,
    },
    {
      title: 'Domains',
      name: 'off',
      help: 'Takes a domain out of what is served; the record and its DNS are kept.',
      load: async () => (await import('./command/status.ts')).off,
    },
    {
      title: 'Domains',
      name: 'disable',
      help: 'Disables a domain for good.',
      load: async () => (await import('./command/status.ts')).disable,
    },
    {
      title: 'Domains',
      name: 'rm',
      help: 'Deletes a domain and all that is ours of it.',
      load: async () => (await import('./command/status.ts')).rm,
    },
    {
      title: 'Domains',
      name: 'detect',
      help: 'Asks a backend what it speaks, and suggests a service type.',
      load: async () => (await import('./command/look.ts')).detect,
    },
    {
      title: 'Domains',
      name: 'open',
      help: 'Opens a domain in the browser.',
      load: async () => (await import('./command/look.ts')).open,
    },
    {
      title: 'Deploying',
      name: 'render',
      after: 'export',
      help: 'Prints the routes file that the database asks for.',
      load: async () => (await import('./render-command.ts')).render,
    },
  ],
} satisfies Manifest
