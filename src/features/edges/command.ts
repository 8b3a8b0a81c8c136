/** `plumbline edges`: public ingress nodes that fetch the released routes. */
import { Misuse } from '../../cli/misuse.ts'
import type { EdgeAnswer, EdgeTokenAnswer } from './change.ts'
import type { EdgeView } from './view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { shortTime, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

const USAGE =
  'Say "edges [--state STATE]", "edges add NAME [--hostname H] [--address A] [--region R]", ' +
  'or "edges show|drain|offline|resume|rotate|revoke|remove NAME".'

export const edges: Verb = {
  name: 'edges',
  takes: '[add NAME | show|drain|offline|resume|rotate|revoke|remove NAME]',
  help: 'Edges that fetch the released routes: lists them, adds one (with the lines for its Traefik), drains one or takes it out, changes its token.',
  options: {
    state: { type: 'string' },
    hostname: { type: 'string' },
    address: { type: 'string' },
    region: { type: 'string' },
  },
  async run(context) {
    const asked = ask(context)
    if (asked === null) throw new Misuse(USAGE)
    await withApi(context, asked)
    return EXIT.ok
  },
}

type Asked = (api: Api) => Promise<void>

const ALL = '/api/ccm/edge/edges'

/** Null for words that ask for nothing we know. */
function ask(context: VerbContext): Asked | null {
  const [deed = 'list', name, ...rest] = context.words
  if (rest.length > 0) return null
  if (deed === 'list') return name === undefined ? list(context) : null
  if (name === undefined) return null
  if (deed === 'add') return add(context, name)
  const known = DEEDS[deed]
  return known === undefined
    ? null
    : async (api) => known({ api, path: `${ALL}/${await idOf(api, name)}`, terminal: context.terminal })
}

interface Deed {
  readonly api: Api
  /** Of the edge. */
  readonly path: string
  readonly terminal: Terminal
}

const setting =
  (state: 'active' | 'draining' | 'offline') =>
  async ({ api, path, terminal }: Deed): Promise<void> => {
    const request = { method: 'PUT', path, body: { desired_state: state } } as const
    tell(terminal, await expectGood<EdgeAnswer>(api, request), tellSaved)
  }

const DEEDS: Readonly<Record<string, (deed: Deed) => Promise<void>>> = {
  drain: setting('draining'),
  offline: setting('offline'),
  resume: setting('active'),
  show: async ({ api, path, terminal }) =>
    tell(terminal, await expectGood<EdgeView>(api, { method: 'GET', path }), tellOne),
  rotate: async ({ api, path, terminal }) => {
    const request = { method: 'POST', path: `${path}/token` } as const
    tell(terminal, await expectGood<EdgeTokenAnswer>(api, request), tellToken)
  },
  revoke: async ({ api, path, terminal }) => {
    const request = { method: 'DELETE', path: `${path}/token` } as const
    tell(terminal, await expectGood<EdgeAnswer>(api, request), tellSaved)
  },
  remove: async ({ api, path, terminal }) =>
    tell(terminal, await expectGood<{ message: string }>(api, { method: 'DELETE', path }), ({ message }) =>
      terminal.out(message),
    ),
}

const list =
  ({ terminal, options }: VerbContext): Asked =>
  async (api) => {
    const state = options['state']
    const query = typeof state === 'string' ? `?state=${encodeURIComponent(state)}` : ''
    tell(terminal, await expectGood<readonly EdgeView[]>(api, { method: 'GET', path: ALL + query }), tellList)
  }

const add =
  ({ terminal, options }: VerbContext, name: string): Asked =>
  async (api) => {
    const given = ['hostname', 'address', 'region'].flatMap((field) =>
      typeof options[field] === 'string' ? [[field, options[field]] as const] : [],
    )
    const body = { name, ...Object.fromEntries(given) }
    tell(terminal, await expectGood<EdgeTokenAnswer>(api, { method: 'POST', path: ALL, body }), tellToken)
  }

/** By name or id. An id that nobody has is left to the API to refuse. */
async function idOf(api: Api, name: string): Promise<string> {
  const all = await expectGood<readonly EdgeView[]>(api, { method: 'GET', path: ALL })
  return String(all.find((edge) => edge.name === name)?.id ?? encodeURIComponent(name))
}

function tell<T>(terminal: Terminal, answer: T, text: (answer: T, terminal: Terminal) => void): void {
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else text(answer, terminal)
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
  for (const line of table(rows)) terminal.out(line.trimEnd())
}

function tellOne(edge: EdgeView, terminal: Terminal): void {
  const { name, state, reason, hostname, address, region } = edge
  terminal.out(`${name} (id ${edge.id}) is ${state}: ${reason}`)
  terminal.out(`${hostname ?? 'no hostname'}, ${address ?? 'no address'}, ${region ?? 'no region'}`)
  terminal.out(`It is ${freshness(edge)}: runs ${edge.config_version ?? edge.served_version ?? 'unknown'}.`)
}

function tellSaved({ message, edge }: EdgeAnswer, terminal: Terminal): void {
  terminal.out(message)
  terminal.note(`It is ${edge.state}: ${edge.reason}`)
}

/** The token and the lines that hold it are the answer; everything about them is said beside it. */
function tellToken({ message, edge, token, traefik }: EdgeTokenAnswer, terminal: Terminal): void {
  terminal.note(`${message} Its id is ${edge.id}. The token is shown this once.`)
  terminal.out(`# token\n${token}\n\n# traefik.yml on the edge\n${traefik}`)
}
