/** `plumbline heartbeats`: watchers elsewhere that call in, and are missed when they fall silent. */
import { EXIT } from '../../cli/exit-codes.ts'
import { type Ending, ends, known, pick } from '../../cli/ends.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { settle, SETTLING } from '../../cli/settle.ts'
import { tellMessage, tellTable } from '../../cli/text/table.ts'
import { shortTime, tellAs, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import type { HeartbeatAnswer, HeartbeatTokenAnswer } from './change.ts'
import type { HeartbeatView } from './view.ts'

const ALL = '/api/heartbeats'
const one = (name: string): string => `${ALL}/${encodeURIComponent(name)}`

export const heartbeats: Verb = {
  name: 'heartbeats',
  help: 'Watchers elsewhere that call in, and are missed when they fall silent.',
  forms: [
    {
      words: '[list]',
      help: 'Lists the heartbeats, by name. Exit code 2 where one is silent.',
      examples: [['heartbeats', 'Who was heard of, and when.']],
      is_long: true,
      run: asks<readonly HeartbeatView[]>({
        request: () => ({ method: 'GET', path: ALL }),
        text: tellList,
        exit: (all) => (all.some(({ state }) => state === 'silent') ? EXIT.drift : EXIT.ok),
      }),
    },
    {
      words: 'add NAME',
      help: 'Adds a heartbeat, with the token with which it calls. The token is shown once.',
      examples: [['heartbeats add external', 'Prints what the external check is set up with.']],
      run: asks<HeartbeatTokenAnswer>({
        request: ({ words }) => ({ method: 'POST', path: ALL, body: { name: words[0] } }),
        text: tellToken,
      }),
    },
    {
      words: 'rotate NAME',
      help: 'Issues the successor of its token; the old one goes on for 24 hours.',
      options: SETTLING,
      examples: [['heartbeats rotate external', 'Time to change the settings of whoever calls.']],
      run: rotated,
    },
    {
      words: 'revoke NAME',
      help: 'Ends all its tokens at once.',
      options: SETTLING,
      examples: [
        ['heartbeats revoke external', 'It is missed until "heartbeats rotate external" issues a token.'],
      ],
      run: ends<HeartbeatAnswer>(
        (api, { words }) =>
          ending(api, words[0]!, { part: '/token', does: 'End the tokens of', loss: TOKENS }),
        tellMessage,
      ),
    },
    {
      words: 'remove NAME',
      help: 'Removes a heartbeat: nobody misses it any more, and its tokens end at once.',
      options: SETTLING,
      examples: [['heartbeats remove external', 'Its silence is told to nobody from now on.']],
      run: ends<{ message: string }>(
        (api, { words }) => ending(api, words[0]!, { part: '', does: 'Remove the heartbeat', loss: MISSED }),
        tellMessage,
      ),
    },
  ],
}

const TOKENS = 'is refused until it has another token, and counts as silent then'
const MISSED = 'is missed no more when it falls silent, and its tokens end'

/** Looked up first, so that a wrong name is answered with what is near. */
async function heartbeatNamed(api: Api, name: string): Promise<HeartbeatView> {
  const all = await expectGood<readonly HeartbeatView[]>(api, { method: 'GET', path: ALL })
  return pick(
    'heartbeat',
    all.map((each) => ({ ...each, id: each.name })),
    name,
  )
}

async function ending(
  api: Api,
  name: string,
  { part, does, loss }: { readonly part: string; readonly does: string; readonly loss: string },
): Promise<Ending> {
  const found = await heartbeatNamed(api, name)
  return {
    request: { method: 'DELETE', path: `${one(name)}${part}` },
    question: `${does} ${name}?`,
    loses: [`${known(name, found.state, seenWords(found))} ${loss}.`],
  }
}

function rotated(context: VerbContext): Promise<number> {
  return withApi(context, async (api) => {
    const { name } = await heartbeatNamed(api, context.words[0]!)
    const settled = await settle<HeartbeatTokenAnswer>(context, api, {
      request: { method: 'POST', path: `${one(name)}/token` },
      question: `Issue another token for ${name}?`,
      asks_anyway: true,
    })
    if (!settled.done) return settled.exit
    tellAs(context.terminal, settled.answer, tellToken)
    return EXIT.ok
  })
}

const seenWords = ({ last_seen }: HeartbeatView): string =>
  last_seen === null ? 'never seen' : `seen ${shortTime(last_seen)}`

function tellList(all: readonly HeartbeatView[], terminal: Terminal): void {
  if (all.length === 0) terminal.note('There are no heartbeats. Add one with "heartbeats add NAME".')
  tellTable(
    terminal,
    all.map((each) => [each.name, each.state, seenWords(each)]),
  )
}

/** The lines that hold the token are the answer; everything about them is said beside it. */
function tellToken({ message, settings, curl }: HeartbeatTokenAnswer, terminal: Terminal): void {
  terminal.note(`${message} The token is shown this once.`)
  terminal.out(`# for "plumbline external-check"\n${settings}\n# by hand\n${curl}`)
}
