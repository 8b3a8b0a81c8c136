/** `plumbline token`: the credentials with which gateways report their address. */
import { Misuse } from '../../cli/misuse.ts'
import type { TokenAnswer } from './tokens/add-token.ts'
import type { RevokedAnswer } from './tokens/revoke-token.ts'
import type { TokenView } from './tokens/token-view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { shortTime, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const token: Verb = {
  name: 'token',
  takes: 'issue HOST | list | revoke ID | rotate ID',
  help: 'Site tokens of gateways for dynamic DNS: issue one (with the lines to type into a router), list, revoke, rotate.',
  options: { label: { type: 'string' } },
  async run(context) {
    const asked = ask(context)
    if (asked === null)
      throw new Misuse(
        'Say "token issue HOST [--label TEXT]", "token list", "token revoke ID" or "token rotate ID".',
      )
    await withApi(context, asked)
    return EXIT.ok
  },
}

type Asked = (api: Api) => Promise<void>

/** Null for words that ask for nothing we know. */
function ask(context: VerbContext): Asked | null {
  const [deed, subject, ...rest] = context.words
  if (rest.length > 0) return null
  if (deed === 'list' && subject === undefined) return list(context)
  if (subject === undefined) return null
  if (deed === 'issue') return issue(context, subject)
  if (deed === 'rotate') return rotate(context, subject)
  return deed === 'revoke' ? revoke(context, subject) : null
}

const ALL = '/api/ddns/tokens'
const one = (id: string): string => `${ALL}/${encodeURIComponent(id)}`

const list =
  ({ terminal }: VerbContext): Asked =>
  async (api) => {
    const tokens = await expectGood<readonly TokenView[]>(api, { method: 'GET', path: ALL })
    tell(terminal, tokens, tellTokens)
  }

const issue =
  ({ terminal, options }: VerbContext, host: string): Asked =>
  async (api) => {
    const { label } = options
    const body = { host, ...(typeof label === 'string' ? { label } : {}) }
    tell(terminal, await expectGood<TokenAnswer>(api, { method: 'POST', path: ALL, body }), tellKey)
  }

const rotate =
  ({ terminal }: VerbContext, id: string): Asked =>
  async (api) => {
    const path = `${one(id)}/rotate`
    tell(terminal, await expectGood<TokenAnswer>(api, { method: 'POST', path }), tellKey)
  }

const revoke =
  ({ terminal }: VerbContext, id: string): Asked =>
  async (api) => {
    const answer = await expectGood<RevokedAnswer>(api, { method: 'DELETE', path: one(id) })
    tell(terminal, answer, ({ message }) => terminal.out(message))
  }

function tell<T>(terminal: Terminal, answer: T, text: (answer: T, terminal: Terminal) => void): void {
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else text(answer, terminal)
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
  for (const line of table(rows)) terminal.out(line.trimEnd())
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
