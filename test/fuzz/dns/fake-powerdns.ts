/** PowerDNS's HTTP API as far as we use it: one JSON text for a zone, and PATCHes that are done as a whole or not at all. */
import { type Answer, type Asked, type FakeServer, startFakeServer } from '../../fakes/dns/fake-server.ts'
import { orRefused, Refused } from '../../fakes/dns/refused.ts'

interface Content {
  readonly content: string
  readonly disabled: boolean
}
interface Comment {
  readonly content: string
  readonly account: string
  readonly modified_at: number
}
export interface PowerDnsRrset {
  /** With a closing dot. */
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly Content[]
  readonly comments: readonly Comment[]
}

export interface FakePowerDns extends FakeServer {
  readonly token: string
  readonly zone: string
  serial: number
  /** By `name/type`; a set that is changed is another object. */
  readonly rrsets: Map<string, PowerDnsRrset>
  /** Puts a set there as somebody else would. */
  add(rrset: Pick<PowerDnsRrset, 'name' | 'type'> & Partial<PowerDnsRrset>): void
}

const ROOT = '/api/v1/servers/localhost/zones'
const keyOf = ({ name, type }: Pick<PowerDnsRrset, 'name' | 'type'>): string => `${name}/${type}`
const refused = (status: number, error: string) => new Refused({ status, json: { error } })

export async function startFakePowerDns(zone: string): Promise<FakePowerDns> {
  const server = await startFakeServer((asked) => orRefused(() => route(fake, asked)))
  const fake: FakePowerDns = Object.assign(server, {
    token: 'powerdns-key-canary-0123456789',
    zone,
    serial: 2026010101,
    rrsets: new Map<string, PowerDnsRrset>(),
    add: (rrset: Pick<PowerDnsRrset, 'name' | 'type'> & Partial<PowerDnsRrset>) => {
      const whole = { ttl: 3600, records: [], comments: [], ...rrset }
      fake.rrsets.set(keyOf(whole), whole)
      fake.serial++
    },
  })
  const soa = `ns1.servers.test. hostmaster.servers.test. 1 10800 3600 604800 3600`
  for (const [type, content] of [
    ['SOA', soa],
    ['NS', 'ns1.servers.test.'],
  ] as const)
    fake.add({ name: `${zone}.`, type, records: [{ content, disabled: false }] })
  return fake
}

function route(fake: FakePowerDns, { method, path, query, headers, text, json }: Asked): Answer {
  if (headers['x-api-key'] !== fake.token) throw refused(401, 'Unauthorized')
  if (text !== '' && !headers['content-type']?.startsWith('application/json'))
    throw refused(415, 'Unsupported Media Type')
  const head = {
    id: `${fake.zone}.`,
    name: `${fake.zone}.`,
    kind: 'Native',
    serial: fake.serial,
    soa_edit_api: 'DEFAULT',
  }
  if (path === ROOT && method === 'GET') return { status: 200, json: [head] }
  if (path === `${ROOT}/${fake.zone}./export` && method === 'GET')
    return { status: 200, json: { zone: [...fake.rrsets.values()].flatMap(exported).join('') } }
  if (path !== `${ROOT}/${fake.zone}.`) throw refused(404, 'Not Found')
  if (method === 'GET')
    return {
      status: 200,
      json: query.get('rrsets') === 'false' ? head : { ...head, rrsets: [...fake.rrsets.values()] },
    }
  if (method !== 'PATCH') throw refused(405, 'Method Not Allowed')
  return patched(fake, json)
}

const exported = ({ name, ttl, type, records }: PowerDnsRrset): string[] =>
  records
    .filter(({ disabled }) => !disabled)
    .map(({ content }) => `${name}\t${ttl}\tIN\t${type}\t${content}\n`)

type Part = Partial<PowerDnsRrset> & { readonly changetype?: string }

/** On a copy, taken over as a whole. */
function patched(fake: FakePowerDns, json: unknown): Answer {
  const { rrsets } = (json ?? {}) as { readonly rrsets?: unknown }
  if (!Array.isArray(rrsets)) throw refused(422, 'No rrsets given in update request')
  const next = new Map(fake.rrsets)
  const been = new Set<string>()
  for (const part of rrsets as Part[]) {
    const { name = '', type = '', changetype } = part
    const key = keyOf({ name, type })
    if (been.has(key)) throw refused(422, `Duplicate RRset ${name} IN ${type} with changetype: ${changetype}`)
    been.add(key)
    if (name !== `${fake.zone}.` && !name.endsWith(`.${fake.zone}.`))
      throw refused(422, `RRset ${name} IN ${type}: Name is out of zone`)
    if (changetype === 'DELETE') next.delete(key)
    else if (changetype === 'REPLACE') next.set(key, replaced(part, fake.rrsets.get(key), next))
    else throw refused(422, `Changetype not understood`)
  }
  fake.rrsets.clear()
  for (const [key, set] of next) fake.rrsets.set(key, set)
  fake.serial++
  return { status: 204 }
}

function replaced(
  { name = '', type = '', ttl, records, comments }: Part,
  before: PowerDnsRrset | undefined,
  all: ReadonlyMap<string, PowerDnsRrset>,
): PowerDnsRrset {
  const here = `RRset ${name} IN ${type}`
  if (!Number.isInteger(ttl)) throw refused(422, `Key 'ttl' not an Integer or missing`)
  if (records === undefined || records.some(({ content, disabled }) => !content || disabled === undefined))
    throw refused(422, `${here}: no records`)
  if (new Set(records.map(({ content }) => content)).size !== records.length)
    throw refused(422, `${here} has more than one record with the same content`)
  const others = [...all.values()].filter((set) => set.name === name && set.type !== type)
  if (others.some((set) => set.type === 'CNAME') || (type === 'CNAME' && others.length > 0))
    throw refused(422, `${here}: Conflicts with pre-existing RRset`)
  const told = comments?.map((comment) => ({ ...comment, modified_at: comment.modified_at ?? 1_790_000_000 }))
  return { name, type, ttl: ttl!, records, comments: told ?? before?.comments ?? [] }
}
