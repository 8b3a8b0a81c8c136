/** `plumbline edges`: public ingress nodes that fetch the released routes. */
import type { EdgeAnswer, EdgeTokenAnswer } from './change.ts'
import type { EdgeView } from './view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends, known, pick } from '../../cli/ends.ts'
import { SETTLING } from '../../cli/settle.ts'
import { type Terminal, shortTime } from '../../cli/text/terminal.ts'
import { tellMessage, tellProse, tellTable } from '../../cli/text/table.ts'
import type { Form, Given, Options, Verb } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'

const ALL = '/api/ccm/edge/edges'

const PLACE = {
  hostname: { value: 'HOST', help: 'The name under which it is reached.' },
  address: { value: 'IP', help: 'The address under which it is reached.' },
  region: { value: 'REGION', help: 'Where it stands.' },
} satisfies Options

export const edges: Verb = {
  name: 'edges',
  help: 'Other proxies, which fetch the released routes over HTTPS.',
  forms: [
    {
      words: '[list]',
      help: 'Lists the edges, by name.',
      options: { state: { value: 'STATE', help: 'Only those in this state.' } },
      examples: [['edges', 'Which edges are online, and whether each runs the newest release.']],
      is_long: true,
      run: asks<readonly EdgeView[]>({
        request: ({ options }) => {
          const state = textOf(options, 'state')
          return {
            method: 'GET',
            path: `${ALL}${state === undefined ? '' : `?state=${encodeURIComponent(state)}`}`,
          }
        },
        text: tellList,
      }),
    },
    {
      words: 'add NAME',
      help: 'Creates an edge, with the token and the lines for its Traefik. The token is shown once.',
      options: PLACE,
      examples: [['edges add fra1 --hostname fra1.example.com', 'Makes one and prints its lines.']],
      run: asks<EdgeTokenAnswer>({
        request: ({ words, options }) => ({
          method: 'POST',
          path: ALL,
          body: { name: words[0], ...placeIn(options) },
        }),
        text: tellToken,
      }),
    },
    {
      words: 'show NAME',
      help: 'Shows one edge.',
      examples: [['edges show fra1', 'What it runs, and why it is in its state.']],
      run: asks<EdgeView>({
        requestBy: async (api, { words }) => ({ method: 'GET', path: await pathOf(api, words[0]!) }),
        text: tellOne,
      }),
    },
    {
      words: 'set NAME',
      help: 'Changes where an edge is.',
      options: PLACE,
      examples: [['edges set fra1 --address 198.51.100.7', 'It has moved.']],
      run: asks<EdgeAnswer>({
        requestBy: async (api, { words, options }) => ({
          method: 'PUT',
          path: await pathOf(api, words[0]!),
          body: placeIn(options),
        }),
        text: tellSaved,
      }),
    },
    wanting('drain', 'draining', 'Sends nobody new to an edge.'),
    wanting('offline', 'offline', 'Takes an edge out of service.'),
    wanting('resume', 'active', 'Takes an edge back into service.'),
    {
      words: 'rotate NAME',
      help: 'Issues the successor of its token; the old one goes on for 24 hours.',
      run: asks<EdgeTokenAnswer>({
        requestBy: async (api, { words }) => ({
          method: 'POST',
          path: `${await pathOf(api, words[0]!)}/token`,
        }),
        text: tellToken,
      }),
    },
    {
      words: 'revoke NAME',
      help: 'Ends all its tokens at once.',
      options: SETTLING,
      examples: [['edges revoke fra1', 'It gets no more routes until "edges rotate fra1" issues a token.']],
      run: ends<EdgeAnswer>(
        (api, { words }) =>
          ending(
            api,
            words[0]!,
            '/token',
            'Revoke the tokens of',
            'keeps the routes that it has and gets no more',
          ),
        tellSaved,
      ),
    },
    {
      words: 'remove NAME',
      help: 'Removes an edge; its tokens end at once.',
      options: SETTLING,
      examples: [['edges remove fra1', 'Drain it first, so that nobody is cut off.']],
      run: ends<{ message: string }>(
        (api, { words }) =>
          ending(api, words[0]!, '', 'Remove', 'is forgotten, its tokens end, and it gets no more routes'),
        tellMessage,
      ),
    },
  ],
}

async function ending(api: Api, name: string, part: string, question: string, loss: string): Promise<Ending> {
  const all = await expectGood<readonly EdgeView[]>(api, { method: 'GET', path: ALL })
  const edge = all.find((each) => each.name === name) ?? pick('edge', all, name)
  const path = `${ALL}/${edge.id}`
  const seen = edge.last_seen === null ? 'never seen' : `seen ${shortTime(edge.last_seen)}`
  return {
    request: { method: 'DELETE', path: `${path}${part}` },
    question: `${question} ${edge.name}?`,
    loses: [`${known(edge.name, edge.hostname ?? edge.address, edge.state, seen)} ${loss}.`],
  }
}

function wanting(word: string, desired_state: 'active' | 'draining' | 'offline', help: string): Form {
  return {
    words: `${word} NAME`,
    help,
    run: asks<EdgeAnswer>({
      requestBy: async (api, { words }) => ({
        method: 'PUT',
        path: await pathOf(api, words[0]!),
        body: { desired_state },
      }),
      text: tellSaved,
    }),
  }
}

const placeIn = (options: Given) =>
  Object.fromEntries(
    Object.keys(PLACE).flatMap((field) => {
      const value = textOf(options, field)
      return value === undefined ? [] : [[field, value] as const]
    }),
  )

/** By name or id. An id that nobody has is left to the API to refuse. */
async function pathOf(api: Api, name: string): Promise<string> {
  const all = await expectGood<readonly EdgeView[]>(api, { method: 'GET', path: ALL })
  return `${ALL}/${String(all.find((edge) => edge.name === name)?.id ?? encodeURIComponent(name))}`
}

const freshness = ({ up_to_date }: EdgeView): string =>
  up_to_date === null ? 'version unknown' : up_to_date ? 'up to date' : 'behind'

function tellList(all: readonly EdgeView[], terminal: Terminal): void {
  if (all.length === 0) terminal.note('There are no edges. Add one with "edges add NAME".')
  const rows = all.map((edge) => [
    edge.name,
    edge.state,
    freshness(edge),
    edge.hostname ?? edge.address ?? '-',
    edge.region ?? '-',
    edge.last_seen === null ? 'never seen' : `seen ${shortTime(edge.last_seen)}`,
  ])
  tellTable(terminal, rows)
}

function tellOne(edge: EdgeView, terminal: Terminal): void {
  const { name, state, reason, hostname, address, region } = edge
  tellProse(terminal, `${name} (id ${edge.id}) is ${state}: ${reason}`)
  tellProse(terminal, `${hostname ?? 'no hostname'}, ${address ?? 'no address'}, ${region ?? 'no region'}`)
  tellProse(
    terminal,
    `It is ${freshness(edge)}: runs ${edge.config_version ?? edge.served_version ?? 'unknown'}.`,
  )
}

function tellSaved({ message, edge }: EdgeAnswer, terminal: Terminal): void {
  tellProse(terminal, message)
  terminal.note(`It is ${edge.state}: ${edge.reason}`)
}

/** The token and the lines that hold it are the answer; everything about them is said beside it. */
function tellToken({ message, edge, token, traefik, warnings }: EdgeTokenAnswer, terminal: Terminal): void {
  terminal.note(`${message} Its id is ${edge.id}. The token is shown this once.`)
  for (const warning of warnings) terminal.note(`warning: ${warning}`)
  terminal.out(`# token\n${token}\n\n# traefik.yml on the edge\n${traefik}`)
}
