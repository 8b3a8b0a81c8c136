/** `plumbline discover`: what runs in the network and is not exposed, and what is exposed and is not there. */
import { Misuse } from '../../cli/misuse.ts'
import type { Discovered } from './discover.ts'
import type { Unexposed } from './exposable.ts'
import type { SourceView } from './looks.ts'
import type { PointsAtNothing } from './nothing.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { styled, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const discover: Verb = {
  name: 'discover',
  takes: '[--all]',
  help: 'Say what runs and is not exposed, and which domains point at nothing. Exit code 2 where one does, 3 where a source is unknown.',
  options: { all: { type: 'boolean' } },
  async run(context) {
    const { words, options, terminal } = context
    if (words.length > 0)
      throw new Misuse('Say "discover", or "discover --all" for what is hardly worth a domain, too.')
    return withApi(context, async (api) => {
      const found = await expectGood<Discovered>(api, { method: 'GET', path: '/api/discover' })
      if (terminal.json) terminal.out(JSON.stringify(found, null, 2))
      else tell(found, { terminal, all: options['all'] === true })
      return exitCode(found)
    })
  },
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
  const rows = nothing.map((one) => [one.domain, placeOf(one), REASONS[one.reason] + heldBy(one)])
  for (const line of table(rows)) terminal.out(`  ${line}`)
}

const placeOf = ({ backend_host, backend_port }: PointsAtNothing): string =>
  backend_port === null ? backend_host : `${backend_host} port ${backend_port}`

const heldBy = ({ held_by }: PointsAtNothing): string =>
  held_by === null ? '' : `: ${held_by.name} (${held_by.source} ${held_by.at})`

const REASONS: Readonly<Record<PointsAtNothing['reason'], string>> = {
  no_such_address: 'nobody in the network has this address',
  offline: 'not connected',
  port_not_published: 'no container publishes this port',
  not_running: 'does not run',
  no_such_container: 'nobody has this name',
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
  for (const line of table(rows)) terminal.out(`  ${line}`)
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
