/** `plumbline network`: clients of the network, strangers among them, and names for those that are guests. */
import type { z } from 'zod'
import { EXIT } from '../../cli/exit-codes.ts'
import { styled, type Terminal } from '../../cli/text/terminal.ts'
import { tellTable } from '../../cli/text/table.ts'
import type { Verb } from '../../cli/verb.ts'
import { flagOf, textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import type * as views from './views.ts'

type RogueAnswer = z.output<typeof views.RogueCheck>
type SyncedAnswer = z.output<typeof views.SyncAnswer>

interface ClientsAnswer {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly complete: boolean | null
}

const BASE = '/companions/network/api'

export const network: Verb = {
  name: 'network',
  help: 'Lists clients of the network, finds strangers among them, and names those that are guests.',
  notes: ['Exit code 2 where there is a stranger, 3 where a source is not known in whole.'],
  forms: [
    {
      words: '[clients]',
      help: 'Lists the clients that are connected.',
      options: {
        all: { help: 'Those that were seen within 30 days, too.' },
        site: { value: 'SITE', help: 'Only those of one site, by its name or label.' },
      },
      examples: [['network clients --all', 'Who was here within 30 days.']],
      is_long: true,
      run: asks<ClientsAnswer>({
        request: ({ options }) => {
          const site = textOf(options, 'site')
          const query = new URLSearchParams(site === undefined ? {} : { site })
          if (flagOf(options, 'all')) query.set('all', 'true')
          return { method: 'GET', path: `${BASE}/clients?${query.toString()}` }
        },
        text: tellClients,
        exit: ({ complete }) => (complete === false ? EXIT.unknown : EXIT.ok),
        is_look: true,
      }),
    },
    {
      words: 'rogue',
      help: 'Says which connected clients nobody knows.',
      options: { guests: { help: 'Clients of guest networks, too.' } },
      examples: [['network rogue', 'Who is here and is nobody’s.']],
      is_long: true,
      run: asks<RogueAnswer>({
        request: ({ options }) => ({
          method: 'GET',
          path: `${BASE}/rogue-check${flagOf(options, 'guests') ? '?guests=true' : ''}`,
        }),
        text: tellRogue,
        exit: ({ ok, complete }) => (ok === false ? EXIT.drift : complete === false ? EXIT.unknown : EXIT.ok),
        is_look: true,
      }),
    },
    {
      words: 'sync-names',
      help: 'Gives clients at the controllers the names of the guests whose cards they are.',
      options: {
        'dry-run': { help: 'Shows what would be written and writes nothing.' },
        overwrite: { help: 'Also names that a person gave.' },
        confirm: { help: 'Also more than 50 names.' },
      },
      examples: [
        ['network sync-names --dry-run', 'Which clients would be renamed, and which keep their names.'],
      ],
      is_long: true,
      run: asks<SyncedAnswer>({
        request: ({ options }) => {
          const query = new URLSearchParams()
          for (const name of ['dry-run', 'overwrite', 'confirm'])
            if (flagOf(options, name)) query.set(name.replace('-', '_'), 'true')
          return { method: 'POST', path: `${BASE}/sync-names?${query.toString()}` }
        },
        text: tellSynced,
        exit: ({ success }) => (success ? EXIT.ok : EXIT.failed),
      }),
    },
  ],
}

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function tellClients({ data, complete }: ClientsAnswer, terminal: Terminal): void {
  if (complete === null) terminal.note('No controller is configured. Set PLUMBLINE_UNIFI_URL.')
  if (complete === false) terminal.note(styled('yellow', 'Not all controllers are known.'))
  tellTable(
    terminal,
    data.map((row) => [
      shown(row['mac']),
      shown(row['name'] ?? row['hostname']),
      shown(row['ip'] ?? row['last_ip']),
      shown(row['network']),
      row['online'] === true ? 'online' : row['online'] === false ? 'away' : 'unknown',
    ]),
  )
}

function tellRogue({ ok, complete, rogue, undecided }: RogueAnswer, terminal: Terminal): void {
  if (complete === null) terminal.note('No controller is configured. Set PLUMBLINE_UNIFI_URL.')
  if (complete === false) terminal.note(styled('yellow', 'Not all sources are known.'))
  if (ok === true) terminal.out('Nobody is a stranger.')
  const row = (word: string) => (one: RogueAnswer['rogue'][number]) => [
    word,
    one.mac,
    one.hostname ?? '',
    one.address ?? '',
    one.randomized ? 'made up for a Wi-Fi' : (one.vendor ?? ''),
    one.uplink?.name ?? '',
  ]
  tellTable(terminal, [...rogue.map(row('stranger')), ...undecided.map(row('undecided'))])
}

function tellSynced(
  { dry_run, renamed, unchanged, skipped, failed, recovered }: SyncedAnswer,
  terminal: Terminal,
): void {
  for (const { mac, name, outcome } of recovered)
    terminal.note(`A rename of ${mac} to ${name} had been cut off: ${outcome.replace('_', ' ')}.`)
  tellTable(terminal, [
    ...renamed.map((one) => [dry_run ? 'would be' : 'renamed', one.mac, one.name_before ?? '', one.name]),
    ...skipped.map((one) => [one.reason.replaceAll('_', ' '), one.mac, one.name ?? '', one.guests.join(' ')]),
    ...failed.map((one) => ['failed', one.mac, one.name, one.why]),
  ])
  terminal.note(
    `${renamed.length} ${dry_run ? 'to rename' : 'renamed'}, ${unchanged} have their names already.`,
  )
}
