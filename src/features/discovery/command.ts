/** `plumbline discover`: what runs in the network and is not exposed, and what is exposed and is not there. */
import { placeOf, whyNothing } from './nothing-words.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { type Terminal, styled } from '../../cli/text/terminal.ts'
import { tellTable } from '../../cli/text/table.ts'
import { tellPlain } from '../../cli/text/tell-plain.ts'
import type { Form, Verb } from '../../cli/verb.ts'
import { flagOf, textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import type { PointsAtNothing, Unexposed, Discovered, SourceView } from './views.ts'

export const discover: Verb = {
  name: 'discover',
  help: 'Says what runs and has no domain, and which domains point at nothing.',
  notes: ['Exit code 2 where a domain points at nothing, 3 where a source is unknown.'],
  forms: [
    {
      words: '',
      help: 'Looks at the container hosts, clusters and networks that are configured.',
      options: { all: { help: 'Shows also what is hardly worth a domain.' } },
      examples: [['discover', 'Says what could be added next, with where it would lead.']],
      is_long: true,
      run: asks<Discovered>({
        request: () => ({ method: 'GET', path: '/api/discover' }),
        text: (found, terminal, { options }) => tell(found, { terminal, all: flagOf(options, 'all') }),
        exit: exitCode,
      }),
    },
    raw('containers', '/api/discover/hubA', 'Lists the containers of the Docker hosts.'),
    raw('clients', '/api/discover/homelab', 'Lists clients and devices of the network controllers.'),
    raw('network', '/api/network/summary', 'Shows uplinks, VPN and client counts of each site.'),
    {
      words: 'hosts',
      help: 'Lists all devices in the network.',
      options: {
        site: { value: 'SITE', help: 'Only those of this site.' },
        online: { help: 'Only those that are connected.' },
      },
      examples: [['discover hosts --online', 'What is there now.']],
      is_long: true,
      run: asks<object>({
        request: ({ options }) => {
          const site = textOf(options, 'site')
          const query = new URLSearchParams({
            ...(site !== undefined && { site }),
            ...(flagOf(options, 'online') && { online_only: 'true' }),
          })
          return {
            method: 'GET',
            path: `/api/network/lan-hosts${query.size === 0 ? '' : `?${query.toString()}`}`,
          }
        },
        text: tellPlain,
      }),
    },
  ],
}

function raw(words: string, path: string, help: string): Form {
  return {
    words,
    help,
    examples: [[`discover ${words}`, help]],
    is_long: true,
    run: asks<object>({ request: () => ({ method: 'GET', path }), text: tellPlain }),
  }
}

/** Nothing that is configured is nothing to complain of. */
function exitCode({ complete, points_at_nothing }: Discovered): number {
  if ((points_at_nothing ?? []).length > 0) return EXIT.drift
  return complete === false ? EXIT.unknown : EXIT.ok
}

function tell(
  { sources, complete, not_exposed, points_at_nothing, not_judged }: Discovered,
  { terminal, all }: { readonly terminal: Terminal; readonly all: boolean },
): void {
  if (complete === null)
    terminal.note(
      'No source is configured. Set PLUMBLINE_DOCKER_HOSTS, PLUMBLINE_PROXMOX or PLUMBLINE_UNIFI_URL.',
    )
  tellSources(sources, terminal)
  tellNothing(points_at_nothing, terminal)
  if (not_judged !== null && not_judged > 0)
    terminal.note(`${not_judged} further domains point where no source can tell.`)
  tellUnexposed(not_exposed ?? [], { terminal, all })
}

function tellSources(sources: readonly SourceView[], terminal: Terminal): void {
  for (const { known, detail, name, unreadable } of sources) {
    if (known === false) terminal.note(styled('yellow', `unknown: ${detail ?? name ?? ''}`))
    else if (detail !== null) terminal.note(styled('yellow', `not all: ${name ?? ''}: ${detail}`))
    if (unreadable > 0) terminal.note(styled('yellow', `${name ?? ''}: ${unreadable} entries cannot be read`))
  }
}

function tellNothing(nothing: readonly PointsAtNothing[] | null, terminal: Terminal): void {
  if (nothing === null || nothing.length === 0) return
  terminal.out(styled('bold', 'Points at nothing'))
  const rows = nothing.map((one) => [one.domain, placeOf(one), whyNothing(one)])
  tellTable(terminal, rows, { indent: '  ' })
}

function tellUnexposed(
  not_exposed: readonly Unexposed[],
  { terminal, all }: { readonly terminal: Terminal; readonly all: boolean },
): void {
  const shown = all ? not_exposed : not_exposed.filter(({ likelihood }) => likelihood !== 'low')
  if (shown.length > 0) terminal.out(styled('bold', 'Runs, and has no domain'))
  const rows = shown.map(({ name, source, at, why, suggestion }) => [
    name,
    `${source} ${at}`,
    suggestion === null ? '' : bodyOf(suggestion.body, suggestion.assumed),
    why,
  ])
  tellTable(terminal, rows, { indent: '  ' })
  const rest = not_exposed.length - shown.length
  if (rest > 0) terminal.note(`${rest} more that are hardly worth a domain: discover --all`)
}

/** A question mark stands after what is a guess. */
function bodyOf(
  { domain, backend_host, backend_port }: NonNullable<Unexposed['suggestion']>['body'],
  assumed: readonly string[],
): string {
  const mark = (field: string) => (assumed.includes(field) ? '?' : '')
  return `${domain}${mark('domain')} -> ${backend_host}${mark('backend_host')} port ${backend_port}${mark('backend_port')}`
}
