/** `plumbline console`: the way into the web console, and who has gone it. */
import type { z } from 'zod'
import { type Api, expectGood } from '../../cli/api.ts'
import { pick } from '../../cli/ends.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import { shortTime, tellAs, type Terminal } from '../../cli/text/terminal.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import { consoleLink } from './link.ts'
import type { Session, SignInCode } from './views.ts'

type SessionView = z.output<typeof Session>

const ALL = '/api/sessions'

export const console: Verb = {
  name: 'console',
  help: 'Prints a link that signs a browser on this host in to the web console.',
  notes: [
    'The link works once, within a minute, and only on the host that asked for it. Whoever has signed in through it may do what the key may by which it was made.',
  ],
  forms: [
    {
      words: '',
      help: 'Prints the link.',
      examples: [['console', 'Open it in a browser on this host.']],
      run: printLink,
    },
    {
      words: 'sessions',
      help: 'Lists who has signed in with a key or a link, and when they were seen last.',
      examples: [['console sessions', 'With the id that "console end" takes.']],
      is_long: true,
      run: asks<readonly SessionView[]>({
        request: () => ({ method: 'GET', path: ALL }),
        text: tellSessions,
      }),
    },
    {
      words: 'build',
      help: 'Makes the files of the console now, for an image or a machine that cannot write them later.',
      examples: [['console build', 'Otherwise they are made when the console is opened first.']],
      run: buildFiles,
    },
    {
      words: 'end SESSION',
      help: 'Ends a session at once: its browser has to sign in anew.',
      options: { 'dry-run': { help: 'Shows which session it is, and ends none.' } },
      examples: [['console end 1f3c', 'By the id that "console sessions" shows.']],
      run: asks<{ message: string }>({
        requestBy: async (api, { words }) => ({
          method: 'DELETE',
          path: `${ALL}/${await idOf(api, words[0]!)}`,
        }),
        text: tellMessage,
        rehearses: true,
      }),
    },
  ],
}

function printLink(context: VerbContext): Promise<number> {
  return withApi(
    context,
    async (api) => {
      const request = { method: 'POST', path: '/api/session/code' } as const
      const made = await expectGood<z.output<typeof SignInCode>>(api, request)
      const link = consoleLink(api.where, made.code)
      tellAs(context.terminal, { ...made, link }, () => {
        context.terminal.note('It signs in once, within a minute, on this host.')
        context.terminal.out(link)
      })
      return EXIT.ok
    },
    { running: true },
  )
}

async function buildFiles({ surroundings, terminal }: VerbContext): Promise<number> {
  const built = await surroundings.bundleConsole()
  tellAs(terminal, built, () => {
    const { files, bytes, was_kept, is_kept } = built
    terminal.out(`${files} files, ${Math.ceil(bytes / 1000)} kB: ${was_kept ? 'made before' : 'made now'}.`)
    if (!is_kept)
      terminal.note('They could not be written beside the packages, so each start makes them anew.')
  })
  return built.is_kept ? EXIT.ok : EXIT.failed
}

async function idOf(api: Api, word: string): Promise<string> {
  const all = await expectGood<readonly SessionView[]>(api, { method: 'GET', path: ALL })
  const found = pick(
    'session',
    all.map(({ id, actor }) => ({ id: actor.replace('session:', ''), name: id, whole: id })),
    all.find(({ id }) => id === word)?.actor.replace('session:', '') ?? word,
  )
  return found.whole
}

function tellSessions(all: readonly SessionView[], terminal: Terminal): void {
  if (all.length === 0) terminal.note('Nobody has signed in with a key or a link. "console" prints a link.')
  tellTable(
    terminal,
    all.map(({ actor, way, key, may, client, used_at, expires_at }) => [
      actor.replace('session:', ''),
      `by ${way}`,
      may === 'read' ? `looks only (${key})` : `may change (${key})`,
      `from ${client}`,
      `seen ${shortTime(used_at)}`,
      `ends ${shortTime(expires_at)}`,
    ]),
  )
}
