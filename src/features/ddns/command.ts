/** `plumbline ddns`, and `plumbline token`: the credentials with which gateways report their address. */
import type { readStatus } from './companion/status.ts'
import type { readHosts } from './hosts/read-hosts.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends, known, pickNamed } from '../../cli/ends.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { SETTLING } from '../../cli/settle.ts'
import { type Terminal, shortTime } from '../../cli/text/terminal.ts'
import { tellMessage, tellProse, tellTable, wrappedProse } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asSentence } from '../../kernel/text/sentence.ts'
import { asks } from '../../cli/with-api.ts'
import type { RevokedAnswer, TokenAnswer, UpdateAnswer, ListedToken, TokenView } from './views.ts'

type DdnsHosts = Awaited<ReturnType<typeof readHosts>>

const ALL = '/api/ddns/tokens'
const one = (id: string): string => `${ALL}/${encodeURIComponent(id)}`

type DdnsStatus = Awaited<ReturnType<typeof readStatus>>

const BASE = '/companions/ddns'

export const ddns: Verb = {
  name: 'ddns',
  help: 'Names whose address changes: how they are, and an update that is forced.',
  notes: ['Exit code of "status": 2 where an address is not in place, 3 where that is not known.'],
  forms: [
    {
      words: 'status',
      help: 'Shows what each name was told, what is published, and what the sources said.',
      examples: [['ddns status', 'Whether the world finds the house.']],
      is_long: true,
      run: asks<DdnsStatus>({
        request: () => ({ method: 'GET', path: `${BASE}/status` }),
        text: tellStatus,
        exit: ({ status }) => ({ ok: EXIT.ok, degraded: EXIT.drift, unknown: EXIT.unknown })[status],
      }),
    },
    {
      words: 'update [HOST]',
      help: 'Reads the sources, or takes an address, and brings DNS to it now.',
      options: {
        ip: { value: 'ADDRESS', help: 'Reports this one for the name; the hub host where none is said.' },
        ipv6: { value: 'ADDRESS', help: 'The same for IPv6.' },
      },
      examples: [['ddns update', 'After a new connection to the internet.']],
      run: asks<UpdateAnswer>({
        request: ({ words: [host], options }) => {
          const [ip, ipv6] = [textOf(options, 'ip'), textOf(options, 'ipv6')]
          return { method: 'POST', path: `${BASE}/update`, body: { host, ip, ipv6 } }
        },
        text: tellUpdate,
        exit: ({ success }) => (success ? EXIT.ok : EXIT.failed),
      }),
    },
  ],
}

function tellStatus({ hub_host, hosts, sources, unknown_because }: DdnsStatus, terminal: Terminal): void {
  if (hosts.length === 0)
    terminal.note('No name takes reports. Set ddns_enabled of a domain, or PLUMBLINE_HUB_HOST.')
  tellTable(
    terminal,
    hosts.map((one) => ({
      cells: [
        one.host === hub_host ? `${one.host} (hub)` : one.host,
        [one.ipv4, one.ipv6].filter((address) => address !== null).join(' ') || 'never reported',
        publishedWords(one),
        errorWords(one),
      ],
      below: waitingLines(one),
    })),
    { head: ['HOST', 'REPORTED', 'PUBLISHED', 'LAST ERROR'] },
  )
  for (const { name, host, addresses, error } of sources)
    tellProse(terminal, `${name} for ${host}: ${error ?? (addresses.join(' ') || 'not read yet')}`)
  if (unknown_because !== null)
    terminal.note(`Whether the addresses have arrived is not known. ${unknown_because}`)
}

const ARRIVAL = {
  in_place: '',
  pending: ' (on its way)',
  different: ' (not in place)',
  unknown: ' (not proven)',
} as const

/** Of a name without any address there is nothing to know; what stands in the zone of one is kept for it. */
function publishedWords({ published: { A, AAAA, state }, source }: DdnsStatus['hosts'][number]): string {
  const values = [...A, ...AAAA].join(' ')
  if (values !== '') return `${values}${source === null ? ' (kept)' : ARRIVAL[state]}`
  return source === null ? 'nothing' : 'not known'
}

/** With its time where a report was refused: a source is read each minute. */
const errorWords = ({ last_error, refused }: DdnsStatus['hosts'][number]): string =>
  refused !== null && last_error === refused.detail
    ? `refused at ${shortTime(refused.at)}: ${refused.detail}`
    : (last_error ?? '')

/** The gateway believes that it has reported, or says nothing: here is why its address does not come. */
const refusedLines = ({ refused }: Pick<DdnsHosts['hosts'][number], 'refused'>): readonly string[] =>
  refused === null
    ? []
    : [`The report of ${shortTime(refused.at)} was refused: ${asSentence(refused.detail)}`]

type Waiting = Pick<DdnsHosts['hosts'][number], 'waiting' | 'flapping'>

/** What was reported and is not taken yet: which address, why, and when it is. */
const waitingLines = ({ waiting, flapping }: Waiting): readonly string[] => [
  ...waiting.map(
    ({ address, due_at }) =>
      `${address} waits: it was reported too soon, and is taken at ${shortTime(due_at)}.`,
  ),
  ...flapping.map(
    ({ asked, until }) =>
      `${asked} waits: the address changes to and fro, so the one before stays until ${shortTime(until)}.`,
  ),
]

function tellUpdate({ message, failed, warnings }: UpdateAnswer, terminal: Terminal): void {
  tellProse(terminal, message)
  for (const { name, error } of failed) tellProse(terminal, `${name}: ${error}`)
  for (const warning of warnings) terminal.note(warning)
}

export const token: Verb = {
  name: 'token',
  help: 'Dynamic DNS: keys with which gateways report their address, and what they reported.',
  notes: [
    'The domain has to be one with a gateway: plumbline add NAME BACKEND --ddns-enabled, or plumbline set NAME ddns_enabled=true. A static_ip of the record goes before what is reported: plumbline set NAME static_ip= takes it away.',
  ],
  forms: [
    {
      words: 'list',
      help: 'Lists the site tokens, without their secrets.',
      examples: [['token list', 'Which gateways may report, and when each did last.']],
      is_long: true,
      run: asks<readonly ListedToken[]>({ request: () => ({ method: 'GET', path: ALL }), text: tellTokens }),
    },
    {
      words: 'hosts',
      help: 'Lists which address is to be published for each name, whether reports count, and which one was refused.',
      examples: [['token hosts', 'Which address counts for which name, and why not.']],
      is_long: true,
      run: asks<DdnsHosts>({ request: () => ({ method: 'GET', path: '/api/ddns/hosts' }), text: tellHosts }),
    },
    {
      words: 'issue HOST',
      help: 'Issues a token for one name, with the lines to type into a router. The key is shown once.',
      options: { label: { value: 'TEXT', help: 'Says whose it is.' } },
      examples: [
        ['token issue home.example.com --label "router at home"', 'Makes one and prints the lines.'],
      ],
      run: asks<TokenAnswer>({
        request: ({ words, options }) => {
          const label = textOf(options, 'label')
          return {
            method: 'POST',
            path: ALL,
            body: { host: words[0], ...(label !== undefined && { label }) },
          }
        },
        text: tellKey,
      }),
    },
    {
      words: 'rotate TOKEN',
      help: 'Issues the successor of a token, by its host or id.',
      examples: [
        [
          'token rotate home.example.com',
          'The old one goes on for a day, so that the router can be changed.',
        ],
      ],
      run: asks<TokenAnswer>({
        requestBy: async (api, context) => {
          const { id } = await tokenNamed(api, context)
          return { method: 'POST', path: `${one(id)}/rotate` }
        },
        text: tellKey,
      }),
    },
    {
      words: 'revoke TOKEN',
      help: 'Ends a token at once, by its host or id.',
      options: SETTLING,
      examples: [
        ['token revoke home.example.com', 'Its gateway is refused from now on.'],
        [
          'token revoke 7e162c66-7ab3-4ea3-bb45-9e50cc48c22f',
          'The one of two with the same host: "token list" has the ids.',
        ],
      ],
      run: ends<RevokedAnswer>(revoking, tellMessage),
    },
  ],
}

/** Looked up first, so that a wrong id is answered with what is near. */
async function tokenNamed(api: Api, { words }: VerbContext): Promise<TokenView> {
  const all = await expectGood<readonly TokenView[]>(api, { method: 'GET', path: ALL })
  const named = all.map((each) => ({ ...each, name: each.host }))
  return pickNamed('site token', named, words[0]!)
}

async function revoking(api: Api, context: VerbContext): Promise<Ending> {
  const { id, host, label, state, last_used_at } = await tokenNamed(api, context)
  const used = last_used_at === null ? 'never used' : `used ${shortTime(last_used_at)}`
  return {
    request: { method: 'DELETE', path: one(id) },
    question: `Revoke the token for ${host}?`,
    loses:
      state === 'ended'
        ? []
        : [`The token for ${known(host, label, used)} ends at once: its gateway can report no new address.`],
  }
}

function tellTokens(tokens: readonly ListedToken[], terminal: Terminal): void {
  if (tokens.length === 0) terminal.note('There are no site tokens. Issue one with "token issue HOST".')
  const rows = tokens.map(({ id, host, state, label, created_at, expires_at, last_used_at, has_record }) => ({
    cells: [
      id,
      host,
      expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
      shortTime(created_at),
      last_used_at === null ? 'never' : shortTime(last_used_at),
      label,
    ],
    below: has_record || state === 'ended' ? [] : [`It opens nothing: no domain is called ${host} any more.`],
  }))
  tellTable(terminal, rows, { head: ['ID', 'HOST', 'STATE', 'MADE', 'USED', 'LABEL'] })
}

const COMMENT = '# '

/** The secret and the lines that hold it are the answer; everything about them is said beside it. */
function tellKey({ message, warnings, token: made, key, lines }: TokenAnswer, terminal: Terminal): void {
  const { server, hostname, username, password } = lines.unifi
  terminal.note(`${message} Its id is ${made.id}. The key is shown this once.`)
  const parts = [
    ['key', key],
    ['URL, with the address of the connection', lines.url],
    ['curl 7.76 or newer (an older one takes -f, which hides why it is refused)', lines.curl],
    [
      'UniFi, service "custom"',
      `Hostname ${hostname}\nUsername ${username}\nPassword ${password}\nServer   ${server}`,
    ],
    ['inadyn.conf', lines.inadyn],
    ['ddclient.conf', lines.ddclient],
  ] as const
  const { width = Infinity } = terminal
  for (const [title, text] of parts) {
    for (const line of wrappedProse(title, width - COMMENT.length)) terminal.out(`${COMMENT}${line}`)
    terminal.out(`${text}\n`)
  }
  // Last: in front of so many lines nobody would see why they come to nothing.
  for (const warning of warnings) terminal.note(`warning: ${warning}`)
}

function tellHosts({ hosts, rotation }: DdnsHosts, terminal: Terminal): void {
  if (hosts.length === 0) terminal.note('No gateway has reported anything, and no domain waits for one.')
  const rows = hosts.map(({ host, in_force, because, counts, ...one }) => ({
    cells: [
      host,
      counts === null
        ? 'no address'
        : `${counts.addresses.join(', ')} (${counts.source.replaceAll('_', ' ')})`,
      in_force
        ? one.reported_at === null
          ? 'none yet'
          : 'count'
        : `do not count: ${(because ?? 'unknown').replaceAll('_', ' ')}`,
    ],
    below: [...refusedLines(one), ...waitingLines(one)],
  }))
  tellTable(terminal, rows, { head: ['HOST', 'TO PUBLISH', 'REPORTS'] })
  if (rows.length > 0) terminal.note('"plumbline ddns status" says whether it has arrived.')
  terminal.note(`The next rotation is at ${shortTime(rotation.next_at)}.`)
}
