/** `plumbline keys`: the keys of this API. */
import type { readCredentials } from './credentials/read.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends, known, pickNamed } from '../../cli/ends.ts'
import { SETTLING } from '../../cli/settle.ts'
import { type Terminal, shortTime } from '../../cli/text/terminal.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { flagOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import type { KeyAnswer, KeyMadeAnswer, KeyView } from './views.ts'

const ALL = '/api/keys'
const one = (id: string): string => `${ALL}/${encodeURIComponent(id)}`

type Credentials = Awaited<ReturnType<typeof readCredentials>>

export const keys: Verb = {
  name: 'keys',
  help: 'Keys of this API, and how old every credential is.',
  notes: [
    'A key may do everything that the API can, also issue and revoke keys, unless it was issued with --read-only: such a one looks at everything, plans included, and changes nothing. Whoever has a key puts it into API_KEY.',
  ],
  otherwise: { add: 'keys issue', create: 'keys issue', new: 'keys issue' },
  forms: [
    {
      words: '[list]',
      help: 'Lists the keys and what each may do, without the keys themselves.',
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
      help: 'Issues a key with a name of its own, which may do everything. It is shown once.',
      options: {
        'read-only': { help: 'It may look at everything and change nothing.', field: 'access' },
      },
      examples: [
        ['keys issue ci > ci.key', 'Only the key goes into the file; the rest is said beside it.'],
        ['keys issue dashboard --read-only', 'For whoever only looks.'],
      ],
      run: asks<KeyMadeAnswer>({
        request: ({ words, options }) => ({
          method: 'POST',
          path: ALL,
          body: { name: words[0], ...(flagOf(options, 'read-only') && { access: 'read' }) },
        }),
        text: tellKey,
      }),
    },
    {
      words: 'rotate KEY',
      help: 'Issues the successor of a key, by name or id; the old one goes on for 24 hours.',
      examples: [['keys rotate ci', 'Time to change whoever uses it.']],
      run: asks<KeyMadeAnswer>({
        requestBy: async (api, context) => {
          const { id } = await keyNamed(api, context)
          return { method: 'POST', path: `${one(id)}/rotate` }
        },
        text: tellRotated,
      }),
    },
    {
      words: 'revoke KEY',
      help: 'Ends a key at once, by name or id.',
      options: SETTLING,
      examples: [
        ['keys revoke ci', 'Whoever has it is refused from now on.'],
        ['keys revoke 264abde0b88ce674', 'The one of two with the same name: "keys" has the ids.'],
      ],
      run: ends<KeyAnswer>(revoking, tellMessage),
    },
  ],
}

/** Looked up first, so that a wrong name is answered with what is near. One that goes on beside its successor has the same name. */
const keyNamed = async (api: Api, { words }: VerbContext): Promise<KeyView> =>
  pickNamed('key', await expectGood<readonly KeyView[]>(api, { method: 'GET', path: ALL }), words[0]!)

async function revoking(api: Api, context: VerbContext): Promise<Ending> {
  const { id, name, state, created_at, last_used_at } = await keyNamed(api, context)
  const used = last_used_at === null ? 'not used since the start' : `used ${shortTime(last_used_at)}`
  const key = known(name, `since ${shortTime(created_at)}`, used)
  return {
    request: { method: 'DELETE', path: one(id) },
    question: `Revoke the key ${name}?`,
    loses: state === 'ended' ? [] : [`The key ${key} ends at once: whoever has it is refused.`],
  }
}

function tellKeys(found: readonly KeyView[], terminal: Terminal): void {
  const rows = found.map(({ id, name, state, access, created_at, expires_at, last_used_at }) => [
    id,
    name,
    expires_at === null ? state : `${state} ${shortTime(expires_at)}`,
    access === 'read' ? 'only looks' : 'everything',
    shortTime(created_at),
    last_used_at === null ? 'not since the start' : shortTime(last_used_at),
  ])
  tellTable(terminal, rows, { head: ['ID', 'NAME', 'STATE', 'MAY DO', 'MADE', 'USED'] })
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

/** Two keys of one name go on for a while, so each is told by its id. */
function tellRotated({ message, key, key_info }: KeyMadeAnswer, terminal: Terminal): void {
  terminal.note(`${message} The id of the new one is ${key_info.id}. The key is shown this once.`)
  terminal.note('The old one ends at once with "plumbline keys revoke" and its id.')
  terminal.out(key)
}

/** The key is the answer; everything about it is said beside it. */
function tellKey({ message, key, key_info }: KeyMadeAnswer, terminal: Terminal): void {
  terminal.note(`${message} Its id is ${key_info.id}. The key is shown this once.`)
  terminal.out(key)
}
