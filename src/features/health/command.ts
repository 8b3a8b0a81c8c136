/** `plumbline health`: whether the daemon is alive, for whoever starts it again when it is not. */
import { EXIT } from '../../cli/exit-codes.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { asks, withApi } from '../../cli/with-api.ts'

export const health: Verb = {
  name: 'health',
  help: 'Asks the running daemon whether it is alive.',
  notes: ['Exit code 1 when it does not say so.'],
  forms: [
    {
      words: '',
      help: 'Asks for no more than that it serves, as a health check of a container does.',
      examples: [['health || systemctl restart plumbline', 'Starts it again where it does not answer.']],
      run: (context) => isAlive(context),
    },
    {
      words: 'ready',
      help: 'Says whether everything was looked at once since the start.',
      examples: [['health ready', 'Exit code 1 while it was not.']],
      run: asks<{ readonly status: string }>({
        request: () => ({ method: 'GET', path: '/ready' }),
        text: ({ status }, { out }) => out(status),
        opening: { running: true },
      }),
    },
  ],
}

const isAlive = (context: VerbContext): Promise<number> =>
  withApi(
    context,
    async (api) => {
      const { status, body } = await api.call({ method: 'GET', path: '/health' })
      const words = status === 200 ? 'alive' : `${api.where} answers ${status}`
      context.terminal.out(context.terminal.json ? JSON.stringify(body) : words)
      return status === 200 ? EXIT.ok : EXIT.failed
    },
    { running: true },
  )
