/** `plumbline ssh-clients`: the keys that may log in to the SSH gateway. */
import { Misuse } from '../../cli/misuse.ts'
import type { AddedClient } from './add.ts'
import type { ChangedClient } from './change.ts'
import type { ClientsAnswer } from './read.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { styled, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const sshClients: Verb = {
  name: 'ssh-clients',
  takes: 'list | add FILE | remove KEY',
  help: 'Keys of the SSH gateway: list them all, add a .pub file (--name, --options JSON), remove one by a part of its key.',
  options: { name: { type: 'string' }, options: { type: 'string' } },
  async run(context) {
    const asked = ask(context)
    if (asked === null)
      throw new Misuse(
        'Say "ssh-clients list", "ssh-clients add ID.pub [--name NAME] [--options \'{"pty":false}\']" or "ssh-clients remove SHA256:…".',
      )
    return withApi(context, asked)
  },
}

type Asked = (api: Api) => Promise<number>

const PATH = '/api/ssh-clients'

/** Null for words that ask for nothing we know. */
function ask(context: VerbContext): Asked | null {
  const [deed = 'list', subject, ...rest] = context.words
  if (rest.length > 0) return null
  if (deed === 'list' && subject === undefined) return list(context)
  if (subject === undefined) return null
  if (deed === 'add') return add(context, subject)
  return deed === 'remove' ? remove(context, subject) : null
}

const list =
  ({ terminal }: VerbContext): Asked =>
  async (api) => {
    const answer = await expectGood<ClientsAnswer>(api, { method: 'GET', path: PATH })
    if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
    else tellClients(answer, terminal)
    return answer.configured && answer.reachable !== true ? EXIT.unknown : EXIT.ok
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
  for (const line of table(rows)) terminal.out(line.trimEnd())
  if (detail !== null) terminal.note(styled('yellow', detail))
  for (const offence of offences ?? [])
    terminal.note(styled('yellow', `sshd may pass over the file: ${offence}`))
}

const add =
  ({ terminal, options, surroundings }: VerbContext, path: string): Asked =>
  async (api) => {
    const { name, options: json } = options
    const body = {
      public_key: await surroundings.readFile(path),
      ...(typeof name === 'string' && { name }),
      ...(typeof json === 'string' && { options: parsedOptions(json) }),
    }
    return told(terminal, await expectGood<AddedClient>(api, { method: 'POST', path: PATH, body }))
  }

/** What is no JSON is sent as it is: the API says what it should have been. */
function parsedOptions(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

const remove =
  ({ terminal }: VerbContext, public_key: string): Asked =>
  async (api) =>
    told(
      terminal,
      await expectGood<ChangedClient>(api, { method: 'DELETE', path: PATH, body: { public_key } }),
    )

function told(terminal: Terminal, answer: ChangedClient): number {
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else terminal.out(answer.message)
  for (const warning of answer.warnings) terminal.note(styled('yellow', `warning: ${warning}`))
  return EXIT.ok
}
