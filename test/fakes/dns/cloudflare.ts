/** Cloudflare's DNS API v4 as far as we use it: strict about what it takes, true to form in what it answers. */
import { type Answer, type Asked, type FakeServer, startFakeServer } from './fake-server.ts'
import {
  checkedRecord,
  checkNeighbours,
  type CloudflareRecord,
  invalid,
  refusal,
} from './cloudflare-rules.ts'
import { orRefused } from './refused.ts'

export interface CloudflareZone {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly paused: boolean
  readonly type: string
}

export interface FakeCloudflare extends FakeServer {
  readonly token: string
  readonly base: string
  /** What is there, by id; a test may read it and change it by hand. */
  readonly records: Map<string, CloudflareRecord & { readonly zone: string }>
  readonly zones: CloudflareZone[]
  /** Puts a record there as somebody else would, past all checks. */
  add(
    zone: string,
    record: Partial<CloudflareRecord> & Pick<CloudflareRecord, 'type' | 'name' | 'content'>,
  ): string
  /** Switches the batch call off: the route is then unknown. */
  has_batch: boolean
}

const ROOT = '/client/v4'
const WHEN = '2026-07-22T10:15:00Z'
const MAX_IN_BATCH = 200
const ok = (result: unknown, more: object = {}): Answer => ({
  status: 200,
  json: { success: true, errors: [], messages: [], result, ...more },
})

/** @param zones names of full, active zones. */
export async function startFakeCloudflare(zones: readonly string[]): Promise<FakeCloudflare> {
  let last = 0
  const newId = () => (++last).toString(16).padStart(32, '0')
  const token = 'cf-token-canary-0123456789abcdef'
  const server = await startFakeServer((asked) => orRefused(() => route(fake, asked, newId)))
  const fake: FakeCloudflare = Object.assign(server, {
    token,
    base: `${server.origin}${ROOT}`,
    has_batch: true,
    records: new Map<string, CloudflareRecord & { zone: string }>(),
    zones: zones.map((name) => ({ id: newId(), name, status: 'active', paused: false, type: 'full' })),
    add: (
      zone: string,
      record: Partial<CloudflareRecord> & Pick<CloudflareRecord, 'type' | 'name' | 'content'>,
    ) => {
      const id = record.id ?? newId()
      const defaults = {
        ttl: 1,
        proxied: false,
        proxiable: true,
        comment: null,
        tags: [],
        settings: {},
        meta: {},
      }
      fake.records.set(id, { ...defaults, created_on: WHEN, modified_on: WHEN, ...record, id, zone })
      return id
    },
  })
  return fake
}

function route(fake: FakeCloudflare, asked: Asked, newId: () => string): Answer {
  checkHeaders(fake, asked)
  if (!asked.path.startsWith(`${ROOT}/zones`)) throw noRoute()
  const [, zone_id, thing, record_id] = asked.path.slice(ROOT.length + 1).split('/')
  if (zone_id === undefined && asked.method === 'GET') return zonesPage(fake, asked)
  const zone = fake.zones.find((one) => one.id === zone_id)
  if (zone === undefined)
    throw refusal(
      404,
      7003,
      `Could not route to /zones/${zone_id}, perhaps your object identifier is invalid?`,
    )
  if (thing !== 'dns_records') throw noRoute()
  const work = new Work(fake, zone, newId)
  if (asked.method === 'GET' && record_id === undefined) return recordsPage(fake, zone, asked)
  if (asked.method === 'POST' && record_id === 'batch' && fake.has_batch) return work.batch(bodyOf(asked))
  if (asked.method === 'POST' && record_id === undefined) return work.commit(() => work.post(bodyOf(asked)))
  if (asked.method === 'PATCH' && record_id !== undefined)
    return work.commit(() => work.patch({ ...bodyOf(asked), id: record_id }))
  if (asked.method === 'DELETE' && record_id !== undefined)
    return work.commit(() => work.remove({ id: record_id }))
  throw noRoute()
}

const noRoute = () => refusal(404, 7000, 'No route for that URI')

function checkHeaders(fake: FakeCloudflare, { headers, method, text }: Asked): void {
  const credential = headers['authorization']
  if (credential === undefined || !credential.startsWith('Bearer ') || headers['x-auth-key'] !== undefined)
    throw refusal(400, 6003, 'Invalid request headers', [[6111, 'Invalid format for Authorization header']])
  if (credential !== `Bearer ${fake.token}`) throw refusal(403, 10000, 'Authentication error')
  if (text !== '' && !headers['content-type']?.startsWith('application/json'))
    throw refusal(415, 6007, 'Malformed JSON in request body')
  if (text !== '' && (method === 'GET' || method === 'DELETE'))
    throw refusal(400, 6007, 'Malformed JSON in request body')
}

function bodyOf({ json }: Asked): Record<string, unknown> {
  if (json === null || typeof json !== 'object' || Array.isArray(json))
    throw refusal(400, 6007, 'Malformed JSON in request body')
  return json as Record<string, unknown>
}

function page<T>(
  asked: Asked,
  all: readonly T[],
  usual: number,
  most: number,
  known: readonly string[],
): Answer {
  for (const name of asked.query.keys())
    if (!['page', 'per_page', ...known].includes(name)) throw refusal(400, 1001, `Unknown parameter ${name}`)
  const [number, size] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('per_page') ?? usual)]
  if (!Number.isInteger(number) || number < 1 || !Number.isInteger(size) || size < 1 || size > most)
    throw refusal(400, 1001, 'Invalid page or per_page')
  const result = all.slice((number - 1) * size, number * size)
  const info = {
    page: number,
    per_page: size,
    count: result.length,
    total_count: all.length,
    total_pages: Math.ceil(all.length / size),
  }
  return ok(result, { result_info: info })
}

function zonesPage(fake: FakeCloudflare, asked: Asked): Answer {
  const name = asked.query.get('name')
  const found = fake.zones.filter((zone) => name === null || zone.name === name)
  const full = found.map((zone) => ({
    ...zone,
    name_servers: ['ada.ns.cloudflare.com'],
    permissions: ['#zone:read'],
    account: { id: 'a', name: 'Lab' },
  }))
  return page(asked, full, 20, 50, ['name', 'status', 'account.id'])
}

function recordsPage(fake: FakeCloudflare, zone: CloudflareZone, asked: Asked): Answer {
  const name = asked.query.get('name.exact')
  const records = [...fake.records.values()].filter(
    (record) => record.zone === zone.name && (name === null || record.name === name),
  )
  const [order, direction] = [asked.query.get('order') ?? 'type', asked.query.get('direction') ?? 'asc']
  if (order !== 'name' && order !== 'type') throw refusal(400, 1004, 'Invalid order')
  if (direction !== 'asc' && direction !== 'desc') throw refusal(400, 1004, 'Invalid direction')
  records.sort((a, b) => (a[order] < b[order] ? -1 : a[order] > b[order] ? 1 : a.id < b.id ? -1 : 1))
  if (direction === 'desc') records.reverse()
  return page(asked, records.map(shown), 100, 5000, ['order', 'direction', 'type', 'name.exact'])
}

function shown({ zone: _zone, ...record }: CloudflareRecord & { readonly zone: string }): CloudflareRecord {
  return record
}

type Body = Record<string, unknown>

/** One request's changes: on a copy, taken over as a whole. */
class Work {
  readonly #fake: FakeCloudflare
  readonly #zone: CloudflareZone
  readonly #newId: () => string

  constructor(fake: FakeCloudflare, zone: CloudflareZone, newId: () => string) {
    this.#fake = fake
    this.#zone = zone
    this.#newId = newId
  }

  /** Undoes everything when the work is refused. */
  commit(work: () => unknown): Answer {
    const before = new Map(this.#fake.records)
    try {
      return ok(work())
    } catch (error) {
      this.#fake.records.clear()
      for (const [id, record] of before) this.#fake.records.set(id, record)
      throw error
    }
  }

  batch(body: Body): Answer {
    const parts = ['deletes', 'patches', 'puts', 'posts']
    const unknown = Object.keys(body).find((name) => !parts.includes(name))
    if (unknown !== undefined) throw invalid(9207, `Unknown field ${unknown}.`)
    const [deletes = [], patches = [], puts = [], posts = []] = parts.map(
      (name) => (body[name] ?? []) as Body[],
    )
    if (deletes.length + patches.length + puts.length + posts.length > MAX_IN_BATCH)
      throw refusal(400, 9300, `A batch holds at most ${MAX_IN_BATCH} operations.`)
    return this.commit(() => ({
      deletes: deletes.map((one) => this.remove(one)),
      patches: patches.map((one) => this.patch(one)),
      puts: puts.map(() => {
        throw noRoute()
      }),
      posts: posts.map((one) => this.post(one)),
    }))
  }

  remove({ id }: Body): object {
    this.#there(id)
    this.#fake.records.delete(id as string)
    return { id }
  }

  patch({ id, ...body }: Body): object {
    const before = this.#there(id)
    return this.#put(before.id, checkedRecord(body, this.#zone.name, before), before.created_on)
  }

  post(body: Body): object {
    return this.#put(this.#newId(), checkedRecord(body, this.#zone.name, null), WHEN)
  }

  #there(id: unknown): CloudflareRecord {
    const record = this.#fake.records.get(id as string)
    if (record === undefined || record.zone !== this.#zone.name)
      throw refusal(404, 81044, 'Record does not exist.')
    return record
  }

  #put(id: string, record: ReturnType<typeof checkedRecord>, created_on: string): object {
    const others = [...this.#fake.records.values()]
    checkNeighbours(
      record,
      others.filter(
        (other) => other.zone === this.#zone.name && other.name === record.name && other.id !== id,
      ),
    )
    const whole = { ...record, id, created_on, modified_on: WHEN }
    this.#fake.records.set(id, { ...whole, zone: this.#zone.name })
    return whole
  }
}
