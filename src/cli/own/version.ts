/** `plumbline version`: of this program, and of the daemon that runs. */
import { EXIT } from '../exit-codes.ts'
import { tellAs } from '../text/terminal.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { withApi } from '../with-api.ts'
import { Failure } from '../../kernel/failure.ts'

export const version: Verb = {
  name: 'version',
  help: 'Which version this is, and which one the daemon has.',
  forms: [
    {
      words: '',
      help: 'Says both. "plumbline --version" asks nobody.',
      examples: [['version', 'After an update: does the new one run?']],
      async run(context) {
        const { terminal, surroundings } = context
        const answer = { version: surroundings.version, daemon: await ofDaemon(context) }
        tellAs(terminal, answer, ({ version: own, daemon }) => {
          terminal.out(`plumbline ${own}`)
          if (daemon === null) terminal.note('No daemon answers.')
          else terminal.out(`daemon ${daemon.version} at ${daemon.where}`)
          if (daemon !== null && daemon.version !== own)
            terminal.note('They differ: start the daemon again to run the new one.')
        })
        return EXIT.ok
      },
    },
  ],
}

async function ofDaemon(context: VerbContext): Promise<{ version: string; where: string } | null> {
  try {
    return await withApi(
      context,
      async (api) => {
        const { status, body } = await api.call({ method: 'GET', path: '/health' })
        return status === 200 ? { version: (body as { version: string }).version, where: api.where } : null
      },
      { running: true },
    )
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
