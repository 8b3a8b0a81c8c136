/** `plumbline on`, `off`, `disable` and `rm`: what moves a domain in and out of what is served. */
import type { Api, ApiRequest } from '../../../cli/api.ts'
import { tellUnreached } from '../../../cli/backends.ts'
import { exitCodeAfter } from '../../../cli/exit-codes.ts'
import { domainId } from '../../../cli/find-domain.ts'
import { settle, SETTLING } from '../../../cli/settle.ts'
import { tellDeployment } from '../../../cli/text/tell-deployment.ts'
import { tellProse } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { tellAs, type Terminal } from '../../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import type { DeploymentResult, RetiredAnswer } from '../../../core/answers.ts'
import { recordWith } from './record.ts'

interface Move {
  readonly name: string
  readonly help: string
  readonly says: string
  readonly example: string
  readonly removes: boolean
  /** It is served afterwards. */
  readonly opens?: boolean
  request(path: string): ApiRequest
  question(word: string): string
  /** What no plan shows: asked about also where nothing outside moves. */
  loses?(api: Api, id: number): Promise<readonly string[]>
}

const verbOf = ({ name, help, says, example, ...move }: Move): Verb => ({
  name,
  help,
  ...(move.removes && {
    notes: [
      'On a terminal the plan is shown and asked about. A script says --yes: something is no longer served.',
    ],
  }),
  forms: [
    {
      words: 'NAME',
      help: says,
      options: SETTLING,
      examples: [[`${name} app.example.com`, example]],
      run: (context) => moved(context, move),
    },
  ],
})

function moved(
  context: VerbContext,
  move: Omit<Move, 'name' | 'help' | 'says' | 'example'>,
): Promise<number> {
  const word = context.words[0]!
  return withApi(context, async (api) => {
    const id = await domainId(api, word)
    const loses = (await move.loses?.(api, id)) ?? []
    const settled = await settle<DeploymentResult | RetiredAnswer>(context, api, {
      request: move.request(`/api/domains/${id}`),
      question: move.question(word),
      removes: move.removes,
      loses,
      asks_anyway: loses.length > 0,
    })
    if (!settled.done) return settled.exit
    tellMoved(settled.answer, context.terminal)
    if (move.opens) await tellUnreached(api, [{ id, domain: word }], context.terminal)
    return exitCodeAfter(settled.answer)
  })
}

function tellMoved(answer: DeploymentResult | RetiredAnswer, terminal: Terminal): void {
  if ('components' in answer) return tellDeployment(answer, terminal)
  tellAs(terminal, answer, ({ message, unfinished, warnings }) => {
    tellProse(terminal, message)
    for (const { key, message: why } of unfinished) terminal.note(`not done yet: ${key}: ${why}`)
    tellWarnings(warnings, terminal)
  })
}

export const on = verbOf({
  name: 'on',
  help: 'Activates a domain and deploys it.',
  says: 'Brings a domain into what is served, as it is saved.',
  example: 'It is served from now on.',
  removes: false,
  opens: true,
  request: (path) => ({ method: 'POST', path: `${path}/activate` }),
  question: (word) => `Activate and deploy ${word}?`,
})

export const off = verbOf({
  name: 'off',
  help: 'Takes a domain out of what is served; the record and its DNS are kept.',
  says: 'Takes its route away. The record and its DNS records are kept; "plumbline on" brings it back.',
  example: 'It is no longer served.',
  removes: true,
  request: (path) => ({ method: 'POST', path: `${path}/deactivate` }),
  question: (word) => `Take ${word} out of what is served, and keep its record and its DNS records?`,
})

export const disable = verbOf({
  name: 'disable',
  help: 'Disables a domain for good.',
  says: 'Takes it out of everything that is served, and keeps the record. It cannot be activated again.',
  example: 'Nobody can bring it back by mistake.',
  removes: true,
  request: (path) => ({ method: 'POST', path: `${path}/disable` }),
  question: (word) => `Disable ${word} for good?`,
  loses: async (api, id) =>
    (await recordWith(api, id)).record.status === 'disabled' ? [] : ['It cannot be activated again.'],
})

export const rm = verbOf({
  name: 'rm',
  help: 'Deletes a domain and all that is ours of it.',
  says: 'Takes away its route, its DNS records and its sign-in rules, then the record. The audit trail keeps it.',
  example: 'It is gone.',
  removes: true,
  request: (path) => ({ method: 'DELETE', path }),
  question: (word) => `Delete ${word}?`,
  // Not read before: a damaged record is deleted, too.
  loses: async () => ['Its record is deleted, with all that is saved in it.'],
})
