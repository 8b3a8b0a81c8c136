/** `plumbline keys`: the keys of this API. */
import type { readCredentials } from './credentials/read.ts'
import type { KeyAnswer, KeyMadeAnswer } from './change.ts'
import type { KeyView } from './key-view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends, known, pick } from '../../cli/ends.ts'
import { SETTLING } from '../../cli/settle.ts'
import { type Terminal, shortTime } from '../../cli/text/terminal.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { asks } from '../../cli/with-api.ts'

const ALL = '/api/keys'
const one = ({ words }: VerbContext): string => `${ALL}/${encodeURIComponent(words[0]!)}`

type Credentials = Awaited<ReturnType<typeof readCredentials>>

export const keys: Verb = {
  name: 'keys',
  help: 'Keys of this API, and how old every credential is.',
  forms: [
    {
      words: '[list]',
      help: 'Lists the keys, without the keys themselves.',
      examples: [['keys', 'Who has a key, and when it was used last.']],
      is_long: true,
      run: asks<readonly KeyView[]>({ request: () => ({ method: 'GET', path: ALL }), text: tellKeys }),
    },
    {
      words: 'all',
      help: 'Lists every credential by age, and what is due for rotation.',
      examples: [['keys all', 'Also those of providers, gateways and edges.']],
      is_long: true,
      run: asks<Credentials>({ request: () => ({ method: 'GET', path: '/api/credentials' }), text: tellAll }),
    },
    {
      words: 'issue NAME',
      help: 'Issues a key with a name of its own. It is shown once.',
      examples: [['keys issue ci > ci.key', 'Only the key goes into the file; the rest is said beside it.']],
      run: asks<KeyMadeAnswer>({
        request: ({ words }) => ({ method: 'POST', path: ALL, body: { name: words[0] } }),
        text: tellKey,
      }),
    },
    {
      words: 'rotate ID',
      help: 'Issues the successor of a key; the old one goes on for 24 hours.',
      examples: [['keys rotate 264abde0b88ce674', 'Time to change whoever uses it. "keys" has the ids.']],
      run: asks<KeyMadeAnswer>({
        requestBy: async (api, context) => {
          await keyNamed(api, context)
          return { method: 'POST', path: `${one(context)}/rotate` }
        },
        text: tellKey,
      }),
    },
    {
      words: 'revoke ID',
      help: 'Ends a key at once.',
      options: SETTLING,
      examples: [['keys revoke 264abde0b88ce674', 'Whoever has it is refused from now on.']],
      run: ends<KeyAnswer>(revoking, tellMessage),
    },
  ],
}

/** Looked up first, so that a wrong id is answered with what is near. */
const keyNamed = async (api: Api, { words }: VerbContext): Promise<KeyView> =>
  pick('key', await expectGood<readonly KeyView[]>(api, { method: 'GET', path: ALL }), words[0]!)

async function revoking(api: Api, context: VerbContext): Promise<Ending> {
  const { name, state, created_at, last_used_at } = await keyNamed(api, context)
  const used = last_used_at === null ? 'not used since the start' : `used ${shortTime(last_used_at)}`
  const key = known(name, `since ${shortTime(created_at)}`, used)
  return {
    request: { method: 'DELETE', path: one(context) },
    question: `Revoke the key ${name}?`,
    loses: state === 'ended' ? [] : [`The key ${key} ends at once: whoever has it is refused.`],
  }
}

function tellKeys(found: readonly KeyView[], terminal: Terminal): void {
  const rows = found.map(({ id, name, state, created_at, expires_at, last_used_at }) => [
    id,
    name,
    expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
    `since ${shortTime(created_at)}`,
    last_used_at === null ? 'not used since the start' : `used ${shortTime(last_used_at)}`,
  ])
  tellTable(terminal, rows)
}

function tellAll({ credentials, next_rotation_at }: Credentials, terminal: Terminal): void {
  const rows = credentials.map(({ kind, name, state, since, expires_at, remedy }) => [
    kind,
    name,
    expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
    `since ${shortTime(since)}`,
    state === 'rotation_due' ? remedy : '',
  ])
  tellTable(terminal, rows)
  terminal.note(`The next rotation is at ${shortTime(next_rotation_at)}.`)
}

/** The key is the answer; everything about it is said beside it. */
function tellKey({ message, key, key_info }: KeyMadeAnswer, terminal: Terminal): void {
  terminal.note(`${message} Its id is ${key_info.id}. The key is shown this once.`)
  terminal.out(key)
}
