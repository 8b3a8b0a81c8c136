/** `plumbline token`: the credentials with which gateways report their address. */
import type { TokenAnswer } from './tokens/add-token.ts'
import type { readHosts } from './hosts/read-hosts.ts'
import type { RevokedAnswer } from './tokens/revoke-token.ts'
import type { TokenView } from './tokens/token-view.ts'
import type { Api } from '../../cli/api.ts'
import { type Ending, ends, known, listedAs } from '../../cli/ends.ts'
import { SETTLING } from '../../cli/settle.ts'
import { type Terminal, shortTime } from '../../cli/text/terminal.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'

type DdnsHosts = Awaited<ReturnType<typeof readHosts>>

const ALL = '/api/ddns/tokens'
const one = ({ words }: VerbContext): string => `${ALL}/${encodeURIComponent(words[0]!)}`

export const token: Verb = {
  name: 'token',
  help: 'Keys with which gateways report their address, and what they reported.',
  forms: [
    {
      words: 'list',
      help: 'Lists the site tokens, without their secrets.',
      examples: [['token list', 'Which gateways may report, and when each did last.']],
      is_long: true,
      run: asks<readonly TokenView[]>({ request: () => ({ method: 'GET', path: ALL }), text: tellTokens }),
    },
    {
      words: 'hosts',
      help: 'Lists what gateways reported, and what of it is published.',
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
      words: 'rotate ID',
      help: 'Issues the successor of a token.',
      examples: [['token rotate 3', 'The old one goes on for a while, so that the router can be changed.']],
      run: asks<TokenAnswer>({
        request: (context) => ({ method: 'POST', path: `${one(context)}/rotate` }),
        text: tellKey,
      }),
    },
    {
      words: 'revoke ID',
      help: 'Ends a token at once.',
      options: SETTLING,
      examples: [['token revoke 3', 'Its gateway is refused from now on.']],
      run: ends<RevokedAnswer>(revoking, tellMessage),
    },
  ],
}

async function revoking(api: Api, context: VerbContext): Promise<Ending> {
  const found = await listedAs<TokenView>(api, ALL, context.words[0]!)
  const used = found?.last_used_at ?? null
  return {
    request: { method: 'DELETE', path: one(context) },
    question: `Revoke the token${found === undefined ? '' : ` for ${found.host}`}?`,
    loses:
      found === undefined || found.state === 'ended'
        ? []
        : [
            `The token for ${known(found.host, found.label, used === null ? 'never used' : `used ${shortTime(used)}`)} ends at once: its gateway can report no new address.`,
          ],
  }
}

function tellTokens(tokens: readonly TokenView[], terminal: Terminal): void {
  if (tokens.length === 0) terminal.note('There are no site tokens. Issue one with "token issue HOST".')
  const rows = tokens.map(({ id, host, state, label, created_at, expires_at, last_used_at }) => [
    id,
    host,
    expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
    `since ${shortTime(created_at)}`,
    last_used_at === null ? 'never used' : `used ${shortTime(last_used_at)}`,
    label,
  ])
  tellTable(terminal, rows)
}

/** The secret and the lines that hold it are the answer; everything about them is said beside it. */
function tellKey({ message, warnings, token: made, key, lines }: TokenAnswer, terminal: Terminal): void {
  const { server, hostname, username, password } = lines.unifi
  terminal.note(`${message} Its id is ${made.id}. The key is shown this once.`)
  for (const warning of warnings) terminal.note(`warning: ${warning}`)
  const parts = [
    ['key', key],
    ['URL, with the address of the connection', lines.url],
    ['curl', lines.curl],
    [
      'UniFi, service "custom"',
      `Hostname ${hostname}\nUsername ${username}\nPassword ${password}\nServer   ${server}`,
    ],
    ['inadyn.conf', lines.inadyn],
    ['ddclient.conf', lines.ddclient],
  ] as const
  for (const [title, text] of parts) terminal.out(`# ${title}\n${text}\n`)
}

function tellHosts({ hosts, rotation }: DdnsHosts, terminal: Terminal): void {
  if (hosts.length === 0) terminal.note('No gateway has reported anything, and no domain waits for one.')
  const rows = hosts.map(({ host, in_force, because, counts }) => [
    host,
    counts === null ? 'no address' : `${counts.addresses.join(', ')} (${counts.source.replaceAll('_', ' ')})`,
    in_force ? 'counts' : `does not count: ${(because ?? 'unknown').replaceAll('_', ' ')}`,
  ])
  tellTable(terminal, rows)
  terminal.note(`The next rotation is at ${shortTime(rotation.next_at)}.`)
}
