/** Hetzner's Cloud DNS as far as we use it: writes are only begun when they are answered, and done when their action ends. */
import { type Answer, type Asked, type FakeServer, startFakeServer } from './fake-server.ts'
import {
  checkedName,
  checkedRecords,
  checkedTtl,
  checkNeighbours,
  type HetznerRrset,
  onlyMembers,
  refusal,
} from './hetzner-rules.ts'
import { orRefused } from './refused.ts'

export interface HetznerZone {
  readonly id: number
  readonly name: string
  readonly mode: string
  readonly status: string
  readonly ttl: number
  /** By `name/type`; a test may read it and change it by hand. */
  readonly rrsets: Map<string, HetznerRrset>
}

export interface FakeHetzner extends FakeServer {
  readonly token: string
  readonly base: string
  readonly zones: HetznerZone[]
  /** Puts a set there as somebody else would, past all checks. */
  add(zone: string, rrset: Partial<HetznerRrset> & Pick<HetznerRrset, 'name' | 'type' | 'records'>): void
  /** How often an action is seen running before it ends. */
  looks: number
  /** The next action ends like this instead, and nothing is done. */
  failNextAction(error: { readonly code: string; readonly message: string }): void
  addZone(name: string, more?: Partial<HetznerZone>): void
}

interface Action {
  readonly id: number
  readonly command: string
  left: number
  /** Done when the action ends. */
  readonly work: () => void
  readonly error: { readonly code: string; readonly message: string } | null
}

const ROOT = '/v1'

export async function startFakeHetzner(zones: readonly string[]): Promise<FakeHetzner> {
  const actions: Action[] = []
  let failing: Action['error'] = null
  const begin = (command: string, work: () => void): Action => {
    const action = {
      id: 100 + actions.length,
      command,
      left: fake.looks,
      work: failing === null ? work : () => undefined,
      error: failing,
    }
    failing = null
    actions.push(action)
    if (action.left === 0) action.work()
    return action
  }
  const server = await startFakeServer((asked) => orRefused(() => route(fake, asked, { actions, begin })))
  const fake: FakeHetzner = Object.assign(server, {
    token: 'hetzner-token-canary-0123456789',
    base: `${server.origin}${ROOT}`,
    zones: [] as HetznerZone[],
    looks: 1,
    failNextAction: (error: NonNullable<Action['error']>) => void (failing = error),
    addZone: (name: string, more: Partial<HetznerZone> = {}) => {
      const zone = {
        id: 4711 + fake.zones.length,
        name,
        mode: 'primary',
        status: 'ok',
        ttl: 3600,
        ...more,
        rrsets: new Map<string, HetznerRrset>(),
      }
      fake.zones.push(zone)
      for (const type of ['SOA', 'NS'])
        fake.add(name, {
          name: '@',
          type,
          records: [
            {
              value:
                type === 'NS'
                  ? 'hydrogen.ns.hetzner.com.'
                  : 'hydrogen.ns.hetzner.com. dns.hetzner.com. 1 86400 10800 3600000 3600',
              comment: '',
            },
          ],
        })
    },
    add: (zone: string, rrset: Partial<HetznerRrset> & Pick<HetznerRrset, 'name' | 'type' | 'records'>) => {
      const whole = { ttl: null, labels: {}, protection: { change: false }, ...rrset }
      fake.zones.find(({ name }) => name === zone)!.rrsets.set(`${rrset.name}/${rrset.type}`, whole)
    },
  })
  for (const name of zones) fake.addZone(name)
  return fake
}

interface Actions {
  readonly actions: Action[]
  readonly begin: (command: string, work: () => void) => Action
}

function route(fake: FakeHetzner, asked: Asked, { actions, begin }: Actions): Answer {
  checkHeaders(fake, asked)
  const parts = asked.path
    .slice(ROOT.length + 1)
    .split('/')
    .map(decodeURIComponent)
  const [root, id, thing, name, type, , verb] = parts
  if (root === 'actions' && asked.method === 'GET') return look(actions, Number(id))
  if (root !== 'zones') throw notFound('route')
  if (id === undefined) return page(asked, 'zones', fake.zones.map(shownZone))
  const zone = fake.zones.find((one) => one.name === id || String(one.id) === id)
  if (zone === undefined) throw notFound(`zone ${id}`)
  if (thing === undefined && asked.method === 'GET') return { status: 200, json: { zone: shownZone(zone) } }
  if (thing !== 'rrsets') throw notFound('route')
  if (name === undefined && asked.method === 'GET')
    return page(
      asked,
      'rrsets',
      filtered(zone, asked).map((rrset) => shown(zone, rrset)),
    )
  if (name === undefined) return create(zone, asked, begin)
  const rrset = zone.rrsets.get(`${name}/${type}`)
  if (rrset === undefined) throw notFound(`RRSet ${name} ${type}`)
  if (verb === undefined && asked.method === 'GET')
    return { status: 200, json: { rrset: shown(zone, rrset) } }
  if (rrset.protection.change) throw refusal(422, 'protected', 'RRSet is protected')
  if (verb === undefined && asked.method === 'DELETE')
    return started(
      201,
      begin('delete_rrset', () => void zone.rrsets.delete(`${name}/${type}`)),
    )
  if (asked.method !== 'POST') throw notFound('route')
  return begun(zone, rrset, verb, asked, begin)
}

function begun(
  zone: HetznerZone,
  rrset: HetznerRrset,
  verb: string | undefined,
  asked: Asked,
  begin: Actions['begin'],
): Answer {
  const put = (more: Partial<HetznerRrset>) => () => {
    const key = `${rrset.name}/${rrset.type}`
    zone.rrsets.set(key, { ...zone.rrsets.get(key)!, ...more })
  }
  if (verb === 'set_records') {
    const { records } = onlyMembers(asked.json, ['records'])
    return started(
      201,
      begin('set_rrset_records', put({ records: checkedRecords(rrset.type, rrset.name, records) })),
    )
  }
  if (verb === 'change_ttl') {
    const { ttl } = onlyMembers(asked.json, ['ttl'])
    return started(201, begin('change_rrset_ttl', put({ ttl: checkedTtl(ttl) })))
  }
  throw notFound('route')
}

function create(zone: HetznerZone, asked: Asked, begin: Actions['begin']): Answer {
  if (asked.method !== 'POST') throw notFound('route')
  const body = onlyMembers(asked.json, ['name', 'type', 'records'], ['ttl', 'labels'])
  const name = checkedName(body['name'], zone.name)
  const type = String(body['type'])
  const records = checkedRecords(type, name, body['records'])
  checkNeighbours(
    type,
    [...zone.rrsets.values()].filter((other) => other.name === name),
  )
  const rrset = {
    name,
    type,
    ttl: checkedTtl(body['ttl']),
    labels: {},
    protection: { change: false },
    records,
  }
  const action = begin('create_rrset', () => void zone.rrsets.set(`${name}/${type}`, rrset))
  return { status: 201, json: { rrset: shown(zone, rrset), action: shownAction(action) } }
}

/** The name relative to the zone, exactly; a type may be named several times. */
function filtered(zone: HetznerZone, { query }: Asked): HetznerRrset[] {
  for (const parameter of query.keys())
    if (!['name', 'type', 'page', 'per_page'].includes(parameter))
      throw refusal(422, 'invalid_input', `unknown parameter ${parameter}`)
  const [name, types] = [query.get('name'), query.getAll('type')]
  if (name !== null) checkedName(name, zone.name)
  if (types.some((type) => !TYPES.includes(type))) throw refusal(422, 'invalid_input', 'invalid type')
  return [...zone.rrsets.values()].filter(
    (rrset) => (name === null || rrset.name === name) && (types.length === 0 || types.includes(rrset.type)),
  )
}

const TYPES = 'A AAAA CAA CNAME DS HINFO HTTPS MX NS PTR RP SOA SRV SVCB TLSA TXT'.split(' ')

const notFound = (what: string) => refusal(404, 'not_found', `${what} not found`)

function checkHeaders(fake: FakeHetzner, { headers, text, json }: Asked): void {
  if (headers['authorization'] !== `Bearer ${fake.token}`)
    throw refusal(401, 'unauthorized', 'unable to authenticate')
  if (text !== '' && !headers['content-type']?.startsWith('application/json'))
    throw refusal(415, 'unsupported_media_type', 'content type must be application/json')
  if (text !== '' && json === undefined) throw refusal(400, 'json_error', 'invalid JSON')
}

function page(asked: Asked, member: string, all: readonly unknown[]): Answer {
  const [number, size] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('per_page') ?? 25)]
  if (!Number.isInteger(number) || number < 1 || !Number.isInteger(size) || size < 1 || size > 50)
    throw refusal(422, 'invalid_input', 'invalid page or per_page')
  const last = Math.max(1, Math.ceil(all.length / size))
  const pagination = {
    page: number,
    per_page: size,
    previous_page: number > 1 ? number - 1 : null,
    next_page: number < last ? number + 1 : null,
    last_page: last,
    total_entries: all.length,
  }
  return {
    status: 200,
    json: { [member]: all.slice((number - 1) * size, number * size), meta: { pagination } },
  }
}

function look(actions: readonly Action[], id: number): Answer {
  const action = actions.find((one) => one.id === id)
  if (action === undefined) throw notFound('action')
  if (action.left > 0 && --action.left === 0) action.work()
  return started(200, action)
}

const started = (status: number, action: Action): Answer => ({
  status,
  json: { action: shownAction(action) },
})

const shownAction = ({ id, command, left, error }: Action) => ({
  id,
  command,
  status: left > 0 ? 'running' : error === null ? 'success' : 'error',
  progress: left > 0 ? 0 : 100,
  started: '2026-07-22T10:15:00Z',
  finished: left > 0 ? null : '2026-07-22T10:15:01Z',
  resources: [],
  error: left > 0 ? null : error,
})

const shown = (zone: HetznerZone, rrset: HetznerRrset) => ({
  id: `${rrset.name}/${rrset.type}`,
  ...rrset,
  zone: zone.id,
})

const shownZone = ({ rrsets, ...zone }: HetznerZone) => ({
  ...zone,
  labels: {},
  protection: { delete: false },
  record_count: rrsets.size,
})
