/** `plumbline inventory`: what runs where, what collides, what is nobody's, and which number is free. */
import type { z } from 'zod'
import type { ApiAnswer } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { styled, type Terminal } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { tellPlain } from '../../cli/text/tell-plain.ts'
import type { Verb } from '../../cli/verb.ts'
import { flagOf, textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import { visible } from '../../kernel/text/visible.ts'
import type * as views from './views.ts'

type AssetList = z.output<typeof views.Assets>
type ConflictsAnswer = z.output<typeof views.Conflicts>
type OrphansAnswer = z.output<typeof views.OrphansAnswer>
type Checked = z.output<typeof views.CheckedVmid>
type Suggested = z.output<typeof views.SuggestedVmids>

const BASE = '/companions/inventory/api'

export const inventory: Verb = {
  name: 'inventory',
  help: 'Says what runs where, what collides, what is nobody’s, and which numbers are free.',
  notes: ['Exit code 2 where something collides or is nobody’s, 3 where a source is not known in whole.'],
  forms: [
    {
      words: '',
      help: 'Lists guests and templates of the clusters.',
      options: {
        find: { value: 'TEXT', help: 'Only those that have it in number, name, address, tag or domain.' },
      },
      examples: [['inventory --find web', 'Where the web servers are.']],
      is_long: true,
      run: asks<AssetList>({
        request: ({ options }) => {
          const q = textOf(options, 'find')
          return { method: 'GET', path: `${BASE}/assets${q === undefined ? '' : `?${query({ q })}`}` }
        },
        text: tellAssets,
        note: tellMissing,
        exit: (_assets, { 'x-complete': complete }) => (complete === 'false' ? EXIT.unknown : EXIT.ok),
        is_look: true,
      }),
    },
    {
      words: 'conflicts',
      help: 'Says which addresses, numbers and cards two have.',
      examples: [['inventory conflicts', 'What cannot both be right.']],
      is_long: true,
      run: asks<ConflictsAnswer>({
        request: () => ({ method: 'GET', path: `${BASE}/conflicts` }),
        text: tellConflicts,
        exit: exitCode,
        is_look: true,
      }),
    },
    {
      words: 'orphans',
      help: 'Says what nobody stands behind any more.',
      examples: [['inventory orphans', 'What could be cleared away.']],
      is_long: true,
      run: asks<OrphansAnswer>({
        request: () => ({ method: 'GET', path: `${BASE}/orphans` }),
        text: tellOrphans,
        exit: exitCode,
        is_look: true,
      }),
    },
    {
      words: 'next',
      help: 'Offers free numbers, with the addresses that go with them.',
      options: {
        node: { value: 'NODE', help: 'Name or number of the host; any when left out.' },
        purpose: { value: 'PURPOSE', help: 'Name or number of the purpose; any when left out.' },
        count: { value: 'N', help: 'How many; default 1.' },
        'allow-incomplete': { help: 'Offers what nobody is seen to have, also where not all can be seen.' },
      },
      examples: [['inventory next --node pve1 --purpose web', 'The number for a new web server on pve1.']],
      run: asks<Suggested>({
        request: ({ options }) => {
          const [node, purpose] = [textOf(options, 'node'), textOf(options, 'purpose')]
          const allow_incomplete = flagOf(options, 'allow-incomplete') ? 'true' : undefined
          const asked = query({ node, purpose, count: textOf(options, 'count') ?? '1', allow_incomplete })
          return { method: 'GET', path: `${BASE}/vmid/suggest?${asked}` }
        },
        text: ({ suggestions }, terminal) => {
          for (const { vmid, address } of suggestions)
            terminal.out(address === null ? String(vmid) : `${vmid}  ${address}`)
        },
        is_look: true,
      }),
    },
    {
      words: 'check VMID',
      help: 'Says whether a number is in use.',
      examples: [['inventory check 1203', 'Who has it, if anybody.']],
      run: asks<Checked>({
        request: ({ words: [vmid = ''] }) => ({
          method: 'GET',
          path: `${BASE}/vmid/check?${query({ vmid })}`,
        }),
        text: tellCheck,
        exit: ({ in_use }) => (in_use === null ? EXIT.unknown : EXIT.ok),
        is_look: true,
      }),
    },
    {
      words: 'status',
      help: 'Shows the infrastructure in figures, with its networks.',
      examples: [['inventory status', 'How full each network is.']],
      is_long: true,
      run: asks<object>({
        request: () => ({ method: 'GET', path: `${BASE}/infrastructure/status` }),
        text: tellPlain,
      }),
    },
  ],
}

const query = (all: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString()

/** Nothing that is configured is nothing to complain of. */
function exitCode({
  ok,
  complete,
}: {
  readonly ok: boolean | null
  readonly complete: boolean | null
}): number {
  if (ok === false) return EXIT.drift
  return complete === false ? EXIT.unknown : EXIT.ok
}

const NOTHING_SET =
  'No source is configured. Set PLUMBLINE_PROXMOX, PLUMBLINE_UNIFI_URL or PLUMBLINE_DOCKER_HOSTS.'

function tellAssets(assets: AssetList, terminal: Terminal): void {
  if (assets.length === 0) return terminal.note('There are none.')
  tellTable(
    terminal,
    assets.map(({ vmid, name, node, state, addresses, domains }) => [
      String(vmid ?? ''),
      name,
      node ?? '',
      state,
      addresses.join(' '),
      domains.join(' '),
    ]),
  )
}

function tellMissing(
  { 'x-complete': complete, 'x-missing': missing = '' }: ApiAnswer['headers'],
  terminal: Terminal,
): void {
  if (complete === 'null') return terminal.note(NOTHING_SET)
  if (complete !== 'false') return
  terminal.note(styled('yellow', `The list is not whole. Not known in whole: ${visible(missing)}.`))
  terminal.note('What is missing of each: plumbline inventory status')
}

function tellConflicts({ ok, complete, ...conflicts }: ConflictsAnswer, terminal: Terminal): void {
  if (complete === null) terminal.note(NOTHING_SET)
  if (complete === false)
    terminal.note(styled('yellow', 'Not all sources are known: plumbline inventory status'))
  if (ok === true) terminal.out('Nothing collides.')
  tellTable(terminal, conflictRows(conflicts))
}

type Conflicts = Pick<ConflictsAnswer, 'ip' | 'vmid' | 'mac' | 'network'>

const conflictRows = ({ ip, vmid, mac, network }: Conflicts): readonly (readonly string[])[] => [
  ...ip.map((one) => [
    one.severity,
    one.address,
    one.holders.map(({ name, at }) => `${name} (${at})`).join(', '),
  ]),
  ...vmid.map((one) => [
    one.severity,
    String(one.vmid),
    one.holders.map(({ cluster }) => cluster).join(', '),
  ]),
  ...mac.map((one) => [one.severity, one.mac, one.holders.map(({ name }) => name).join(', ')]),
  ...network.map((one) => [one.severity, one.address, `${one.holder.name}: ${one.why}`]),
]

function tellOrphans({ ok, complete, orphans, unknown_kinds }: OrphansAnswer, terminal: Terminal): void {
  if (complete === null) terminal.note(NOTHING_SET)
  for (const { kind, why } of unknown_kinds)
    terminal.note(styled('yellow', `unknown: ${words(kind)}: ${why}`))
  if (ok === true) terminal.out('Nothing is nobody’s.')
  for (const { kind, name, why, helps } of orphans) {
    tellProse(terminal, `${name}: ${words(kind)}`)
    tellProse(terminal, `  ${why}`)
    tellProse(terminal, `  ${helps}`)
  }
}

const words = (kind: string): string => kind.replaceAll('_', ' ')

function tellCheck({ vmid, in_use, reserved, holders }: Checked, terminal: Terminal): void {
  const who = holders.map(({ name, cluster }) => `${name} (${cluster})`).join(', ')
  if (in_use === true)
    tellProse(
      terminal,
      `${vmid} is in use${who === '' ? ', by a guest that is not shown to us' : `: ${who}`}.`,
    )
  else if (in_use === null)
    tellProse(terminal, `Whether ${vmid} is in use is not known: a cluster is not known in whole.`)
  else tellProse(terminal, `${vmid} is free${reserved ? ', and reserved by PLUMBLINE_VMID_RESERVED' : ''}.`)
}
