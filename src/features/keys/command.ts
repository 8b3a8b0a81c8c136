/** `plumbline keys`: the keys of this API. */
import { Misuse } from '../../cli/misuse.ts'
import type { readCredentials } from './credentials/read.ts'
import type { KeyAnswer, KeyMadeAnswer } from './change.ts'
import type { KeyView } from './key-view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { shortTime, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const keys: Verb = {
  name: 'keys',
  takes: '[all | issue NAME | rotate ID | revoke ID]',
  help: 'Keys of this API: list (all: every credential by age), issue one by name, rotate (the old one goes on for 24 hours), revoke at once.',
  options: {},
  async run(context) {
    const asked = ask(context)
    if (asked === null)
      throw new Misuse('Say "keys", "keys all", "keys issue NAME", "keys rotate ID" or "keys revoke ID".')
    await withApi(context, asked)
    return EXIT.ok
  },
}

const ALL = '/api/keys'
const one = (id: string): string => `${ALL}/${encodeURIComponent(id)}`

type Credentials = Awaited<ReturnType<typeof readCredentials>>

type Asked = (api: Api) => Promise<void>

/** Null for words that ask for nothing we know. */
function ask({ words, terminal }: VerbContext): Asked | null {
  const [deed = 'list', subject, ...rest] = words
  if (rest.length > 0) return null
  if (deed === 'list' && subject === undefined)
    return async (api) =>
      tell(terminal, await expectGood<readonly KeyView[]>(api, { method: 'GET', path: ALL }), tellKeys)
  if (deed === 'all' && subject === undefined)
    return async (api) =>
      tell(terminal, await expectGood<Credentials>(api, { method: 'GET', path: '/api/credentials' }), tellAll)
  if (subject === undefined) return null
  if (deed === 'issue')
    return async (api) => {
      const body = { name: subject }
      tell(terminal, await expectGood<KeyMadeAnswer>(api, { method: 'POST', path: ALL, body }), tellKey)
    }
  if (deed === 'rotate')
    return async (api) => {
      const path = `${one(subject)}/rotate`
      tell(terminal, await expectGood<KeyMadeAnswer>(api, { method: 'POST', path }), tellKey)
    }
  if (deed !== 'revoke') return null
  return async (api) => {
    const answer = await expectGood<KeyAnswer>(api, { method: 'DELETE', path: one(subject) })
    tell(terminal, answer, ({ message }) => terminal.out(message))
  }
}

function tell<T>(terminal: Terminal, answer: T, text: (answer: T, terminal: Terminal) => void): void {
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else text(answer, terminal)
}

function tellKeys(found: readonly KeyView[], terminal: Terminal): void {
  const rows = found.map(({ id, name, state, created_at, expires_at, last_used_at }) => [
    id,
    name,
    expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
    `since ${shortTime(created_at)}`,
    last_used_at === null ? 'not used since the start' : `used ${shortTime(last_used_at)}`,
  ])
  for (const line of table(rows)) terminal.out(line.trimEnd())
}

function tellAll({ credentials, next_rotation_at }: Credentials, terminal: Terminal): void {
  const rows = credentials.map(({ kind, name, state, since, expires_at, remedy }) => [
    kind,
    name,
    expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
    `since ${shortTime(since)}`,
    state === 'rotation_due' ? remedy : '',
  ])
  for (const line of table(rows)) terminal.out(line.trimEnd())
  terminal.note(`The next rotation is at ${shortTime(next_rotation_at)}.`)
}

/** The key is the answer; everything about it is said beside it. */
function tellKey({ message, key, key_info }: KeyMadeAnswer, terminal: Terminal): void {
  terminal.note(`${message} Its id is ${key_info.id}. The key is shown this once.`)
  terminal.out(key)
}
