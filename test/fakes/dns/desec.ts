/** deSEC's API as far as we use it: bulk changes as one transaction, pages by cursor, newest sets first. */
import { bad, canonicalRecords, checkForm, type DesecRrset, keyOf, type Part } from './desec-rules.ts'
import { type Answer, type Asked, type FakeServer, startFakeServer } from './fake-server.ts'
import { orRefused, Refused } from './refused.ts'

export interface DesecDomain {
  readonly name: string
  minimum_ttl: number
  /** Grows with every write. */
  writes: number
  /** In the order in which they were made, by `subname|type`; a test may read it and change it by hand. */
  readonly rrsets: Map<string, DesecRrset>
}

export interface FakeDesec extends FakeServer {
  readonly token: string
  readonly base: string
  readonly domains: DesecDomain[]
  /** Puts a set there as somebody else would, past all checks. */
  add(domain: string, rrset: DesecRrset): void
  addDomain(name: string, minimum_ttl?: number): void
}

const ROOT = '/api/v1'
const PAGE = 500

export async function startFakeDesec(domains: readonly string[]): Promise<FakeDesec> {
  const server = await startFakeServer((asked) => orRefused(() => route(fake, asked)))
  const fake: FakeDesec = Object.assign(server, {
    token: 'desec-token-canary-0123456789',
    base: `${server.origin}${ROOT}`,
    domains: [] as DesecDomain[],
    addDomain: (name: string, minimum_ttl = 3600) => {
      fake.domains.push({ name, minimum_ttl, writes: 0, rrsets: new Map<string, DesecRrset>() })
      fake.add(name, { subname: '', type: 'NS', ttl: 3600, records: ['ns1.desec.io.', 'ns2.desec.org.'] })
    },
    add: (name: string, rrset: DesecRrset) => {
      const domain = fake.domains.find((one) => one.name === name)!
      domain.rrsets.set(keyOf(rrset), rrset)
      domain.writes++
    },
  })
  for (const name of domains) fake.addDomain(name)
  return fake
}

function route(fake: FakeDesec, asked: Asked): Answer {
  checkHeaders(fake, asked)
  // Addresses without a slash at their end are redirected by the real one, which loses the body.
  if (!asked.path.endsWith('/')) return { status: 301, headers: { location: `${asked.path}/` } }
  const [root, name, thing, more] = asked.path
    .slice(ROOT.length + 1, -1)
    .split('/')
    .map(decodeURIComponent)
  if (root !== 'domains') throw notFound()
  if (name === undefined) return page(fake, asked, fake.domains.map(shownDomain))
  const domain = fake.domains.find((one) => one.name === name)
  if (domain === undefined || more !== undefined) throw notFound()
  if (thing === undefined && asked.method === 'GET')
    return { status: 200, json: { ...shownDomain(domain), keys: [{ keytype: 'csk', flags: 257 }] } }
  if (thing !== 'rrsets') throw notFound()
  if (asked.method === 'GET')
    return page(
      fake,
      asked,
      filtered(domain, asked).map((set) => shown(domain, set)),
    )
  if (asked.method !== 'PATCH')
    throw new Refused({ status: 405, json: { detail: `Method "${asked.method}" not allowed.` } })
  return bulk(domain, asked.json)
}

function filtered(domain: DesecDomain, { query }: Asked): DesecRrset[] {
  for (const parameter of query.keys())
    if (!['cursor', 'subname', 'type'].includes(parameter) || query.getAll(parameter).length > 1)
      throw bad({ detail: `Unknown or doubled parameter ${parameter}.` })
  const [subname, type] = [query.get('subname'), query.get('type')]
  return [...domain.rrsets.values()].filter(
    (set) => (subname === null || set.subname === subname) && (type === null || set.type === type),
  )
}

const notFound = () => new Refused({ status: 404, json: { detail: 'Not found.' } })

function checkHeaders(fake: FakeDesec, { headers, text, json }: Asked): void {
  if (headers['authorization'] !== `Token ${fake.token}`)
    throw new Refused({
      status: 401,
      headers: { 'www-authenticate': 'Token' },
      json: { detail: 'Invalid token.' },
    })
  if (text !== '' && !headers['content-type']?.startsWith('application/json'))
    throw new Refused({ status: 415, json: { detail: 'Unsupported media type in request.' } })
  if (text !== '' && json === undefined) throw bad({ detail: 'JSON parse error' })
}

/** A cursor is opaque to clients; here it is a disguised offset. */
function page(fake: FakeDesec, { query, path }: Asked, all: readonly unknown[]): Answer {
  const newest_first = [...all].reverse()
  const cursor = query.get('cursor')
  if (cursor === null) {
    if (all.length <= PAGE) return { status: 200, json: newest_first }
    throw bad({ detail: 'Pagination required. You can query up to 500 items at a time.' })
  }
  const offset = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isInteger(offset)) throw notFound()
  const linked = (cursor: string) =>
    new URLSearchParams(
      [...query].filter(([name]) => name !== 'cursor').concat([['cursor', cursor]]),
    ).toString()
  const link = (at: number | '', rel: string) =>
    `<${fake.origin}${path}?${linked(at === '' ? '' : Buffer.from(String(at)).toString('base64url'))}>; rel="${rel}"`
  const links = [
    link('', 'first'),
    ...(offset > 0 ? [link(Math.max(0, offset - PAGE), 'prev')] : []),
    ...(offset + PAGE < all.length ? [link(offset + PAGE, 'next')] : []),
  ]
  return { status: 200, headers: { link: links.join(', ') }, json: newest_first.slice(offset, offset + PAGE) }
}

function bulk(domain: DesecDomain, json: unknown): Answer {
  if (!Array.isArray(json)) throw bad({ non_field_errors: ['Expected a list of items.'] })
  const parts = json as Part[]
  checkForm(parts, domain.rrsets, domain.minimum_ttl)
  const next = new Map(domain.rrsets)
  const written: DesecRrset[] = []
  for (const part of parts) {
    const before = next.get(keyOf(part))
    const { subname = '', type, ttl = before?.ttl, records = before?.records } = part as Partial<DesecRrset>
    if (records === undefined || records.length === 0) next.delete(keyOf(part))
    else {
      const set = { subname, type: type!, ttl: ttl!, records: canonicalRecords(type!, records) }
      next.set(keyOf(part), set)
      written.push(set)
    }
  }
  domain.rrsets.clear()
  for (const [key, set] of next) domain.rrsets.set(key, set)
  domain.writes++
  return { status: 200, json: written.map((set) => shown(domain, set)) }
}

const when = (writes: number): string => new Date(Date.UTC(2026, 6, 22, 10, 15) + writes).toISOString()

const shownDomain = ({ name, minimum_ttl, writes }: DesecDomain) => ({
  created: when(0),
  minimum_ttl,
  name,
  published: when(writes),
  touched: when(writes),
})

const shown = (domain: DesecDomain, set: DesecRrset) => ({
  created: when(0),
  domain: domain.name,
  subname: set.subname,
  name: `${set.subname === '' ? '' : `${set.subname}.`}${domain.name}.`,
  type: set.type,
  records: set.records,
  ttl: set.ttl,
  touched: when(domain.writes),
})
