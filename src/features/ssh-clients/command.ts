/** `plumbline ssh-clients`: the keys that may log in to the SSH gateway. */
import type { AddedClient } from './add.ts'
import type { ChangedClient } from './change.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends, known } from '../../cli/ends.ts'
import { SETTLING } from '../../cli/settle.ts'
import { tellWarnings } from '../../cli/text/tell-warnings.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { type Terminal, styled } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import type { ClientsAnswer } from './views.ts'

const PATH = '/api/ssh-clients'

export const sshClients: Verb = {
  name: 'ssh-clients',
  help: 'Keys that may log in to the SSH gateway.',
  forms: [
    {
      words: '[list]',
      help: 'Lists the keys, ours and foreign. Exit code 3 where the gateway cannot be read.',
      examples: [['ssh-clients', 'Who may log in.']],
      is_long: true,
      run: asks<ClientsAnswer>({
        request: () => ({ method: 'GET', path: PATH }),
        text: tellClients,
        exit: ({ configured, reachable }) => (configured && reachable !== true ? EXIT.unknown : EXIT.ok),
      }),
    },
    {
      words: 'add FILE',
      fields: { public_key: 'FILE' },
      help: 'Lets the key of a .pub file log in.',
      options: {
        name: { value: 'NAME', help: 'Whose it is; else the comment of the key.' },
        options: {
          value: 'JSON',
          help: 'What it may do, as {"pty":false}; what is left out stays as it is.',
        },
      },
      examples: [['ssh-clients add id_ed25519.pub --name laptop', 'The laptop may log in.']],
      run: asks<AddedClient>({
        request: async ({ words, options, surroundings }) => {
          const name = textOf(options, 'name')
          const json = textOf(options, 'options')
          const body = {
            public_key: await surroundings.readFile(words[0]!),
            ...(name !== undefined && { name }),
            ...(json !== undefined && { options: parsedOptions(json) }),
          }
          return { method: 'POST', path: PATH, body }
        },
        text: tellChanged,
      }),
    },
    {
      words: 'remove KEY',
      help: 'Shuts a key out, by its fingerprint or a part of the key.',
      examples: [
        ['ssh-clients remove SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDmFa5ZUdGZqVzNpUc', 'It may log in no more.'],
      ],
      options: SETTLING,
      run: ends<ChangedClient>(removing, tellChanged),
    },
  ],
}

async function removing(api: Api, { words }: VerbContext): Promise<Ending> {
  const word = words[0]!
  const { clients } = await expectGood<ClientsAnswer>(api, { method: 'GET', path: PATH })
  const meant = clients.filter(
    ({ managed, fingerprint, name, key }) =>
      managed && (fingerprint === word || name === word || key.includes(word)),
  )
  const only = meant.length === 1 ? meant[0] : undefined
  return {
    request: { method: 'DELETE', path: PATH, body: { public_key: word } },
    question: `Remove ${only === undefined ? 'this key' : only.name}?`,
    // Of several the API says which they are, and changes nothing.
    loses:
      only === undefined
        ? []
        : [`${known(only.name, only.type, only.fingerprint)} can log in to the gateway no more.`],
  }
}

function tellClients({ clients, detail, offences }: ClientsAnswer, terminal: Terminal): void {
  const rows = clients.map(({ state, name, type, fingerprint, also_foreign, managed, weakness }) => [
    state,
    name,
    type,
    fingerprint,
    [managed && also_foreign ? 'stands on a foreign line, too' : '', weakness ?? '']
      .filter((text) => text !== '')
      .join('; '),
  ])
  tellTable(terminal, rows)
  if (detail !== null) terminal.note(styled('yellow', detail))
  for (const offence of offences ?? [])
    terminal.note(styled('yellow', `sshd may pass over the file: ${offence}`))
}

/** What is no JSON is sent as it is: the API says what it should have been. */
function parsedOptions(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function tellChanged({ message, warnings }: ChangedClient, terminal: Terminal): void {
  tellProse(terminal, message)
  tellWarnings(warnings, terminal)
}
