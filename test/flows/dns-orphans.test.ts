/** Records beside ours: an orphan is listed and taken away by a person alone; a stranger's other family is told. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DnsProvider } from '../../src/features/dns/providers/port.ts'
import { run } from './command.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const APP = 'app.example.com'
const OLD = 'old.example.com'
const ORPHAN = { name: OLD, type: 'A' }
const ENV = {
  PLUMBLINE_DNS_PROVIDER: 'zonefile',
  PLUMBLINE_DNS_ZONES: 'example.com,example.org',
  PLUMBLINE_PUBLIC_IP: '203.0.113.10',
}

let at: TestHouse
let app: number

beforeEach(async () => {
  at = await openTestHouse({ env: ENV })
  app = await createActive(at.call, { domain: APP })
})
afterEach(() => at[Symbol.asyncDispose]())

const zoneFile = (zone = 'example.com') => join(at.directory, 'zones', `${zone}.zone`)
const zone = () => readFileSync(zoneFile(), 'utf8')
/** A mark of this installation, as it stands at another record. */
const mark = () => /plumbline:1:[0-9a-f-]+:/.exec(zone())![0]
/** By hand, with the serial raised. */
const write = (line: string, file = zoneFile()) =>
  writeFileSync(
    file,
    `${readFileSync(file, 'utf8').replace(/\b20\d{8}\b/, (serial) => `${Number(serial) + 1}`)}${line}\n`,
  )

const good = async (method: string, path: string, body?: object) => {
  const answer = await at.call(method, path, body === undefined ? {} : { body })
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body as unknown as Readonly<Record<string, unknown>>
}
const recordsOf = async (query = '') =>
  (await good('GET', `/api/dns/records${query}`)) as unknown as {
    drift: boolean
    records: readonly {
      name: string
      type: string
      state: string
      cause: string | null
      detail: string | null
    }[]
    differences: readonly { item: string; cause: string }[]
  }
const healthOf = async (name: string) => {
  const { components } = (await good('GET', '/api/control-plane/health?probe=true')) as unknown as {
    components: readonly { name: string; ok: boolean; cause: string | null }[]
  }
  return components.find((component) => component.name === name)
}

describe('an orphan at a name that nobody wants', () => {
  beforeEach(() => write(`${OLD}. 300 IN A 203.0.113.77 ; ${mark()}77`))

  itInDepth(
    'is on every page with its cause, hinders nobody, and is never taken away by itself',
    async () => {
      expect(await recordsOf()).toMatchObject({
        drift: true,
        differences: [{ item: `A ${OLD}`, cause: 'orphan' }],
      })
      expect((await recordsOf('?state=orphan')).records).toMatchObject([
        {
          name: OLD,
          state: 'orphan',
          cause: 'orphan',
          detail: expect.stringContaining('plumbline dns remove'),
        },
      ])
      expect(await good('GET', '/companions/inventory/api/orphans')).toMatchObject({
        orphans: [
          {
            kind: 'dns_record_without_domain',
            helps: expect.stringContaining(`plumbline dns remove A ${OLD}`),
          },
        ],
      })
      expect(await good('GET', '/api/drift')).toMatchObject({ drift: true })
      await expect.poll(() => healthOf('dns:example.com')).toMatchObject({ ok: false, cause: 'orphan' })
      await createActive(at.call, { domain: 'next.example.com' })
      // A call about one domain speaks of that one.
      expect(await good('POST', `/api/domains/${app}/deploy`)).toMatchObject({ warnings: [] })
      const { warnings } = await good('POST', '/api/deploy-all')
      expect(warnings).toContainEqual(expect.stringContaining(OLD))
      expect((await at.call('GET', `/api/domains/${app}`)).body).toMatchObject({ status: 'active' })
      at = await at.reopen()
      await expect.poll(() => at.house.engine.lastReports().length).toBe(at.house.engine.keys().length)
      expect(zone()).toContain('203.0.113.77')
    },
  )

  itInDepth('is planned, then taken away and audited, when a person says so', async () => {
    const before = zone()
    const planned = await good('POST', '/api/dns/records/remove?dry_run=true', ORPHAN)
    expect(planned).toMatchObject({
      plan: { rows: [], actions: [{ component: 'dns', verb: 'delete', item: `A ${OLD}` }] },
    })
    expect(zone()).toBe(before)
    expect((await recordsOf('?state=orphan')).records).toHaveLength(1)
    const { hash } = (planned as unknown as { plan: { hash: string } }).plan
    expect(await good('POST', `/api/dns/records/remove?confirm=${hash}`, ORPHAN)).toMatchObject({
      success: true,
      message: expect.stringContaining('203.0.113.77'),
      records: [],
    })
    expect(zone()).not.toContain('203.0.113.77')
    expect(zone()).toContain(APP)
    expect(await recordsOf()).toMatchObject({ drift: false, differences: [] })
    await expect.poll(() => healthOf('dns:example.com')).toMatchObject({ ok: true })
    expect((await at.call('GET', '/api/audit?action=remove_record')).body).toMatchObject([
      { action: 'remove_record', domain: OLD, detail: { record: `A ${OLD}`, values: ['203.0.113.77'] } },
    ])
  })

  itInDepth('is adopted by the record that wants it, and by no other', async () => {
    expect(await at.call('POST', '/api/dns/records/adopt', { body: ORPHAN })).toMatchObject({ status: 409 })
    const id = (
      await good('POST', '/api/domains', {
        domain: OLD,
        service_type: 'http',
        environment: 'production',
        backend_host: '10.0.0.5',
        backend_port: 8080,
      })
    )['domain_id']
    expect((await at.call('POST', `/api/domains/${String(id)}/activate`)).status).toBe(409)
    expect(await at.call('POST', '/api/dns/records/remove', { body: ORPHAN })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Adopt it') },
    })
    await good('POST', '/api/dns/records/adopt', ORPHAN)
    expect(await recordsOf()).toMatchObject({ drift: false })
    await good('POST', `/api/domains/${String(id)}/activate`)
    expect(zone()).not.toContain('203.0.113.77')
  })

  it('is what its name and type say, and nothing else goes so', async () => {
    const refused = async (body: object) => {
      const answer = await at.call('POST', '/api/dns/records/remove', { body })
      return [answer.status, answer.body['detail']]
    }
    const before = zone()
    expect(await refused({ name: APP, type: 'A' })).toEqual([409, expect.stringContaining('is owned')])
    expect(await refused({ name: OLD, type: 'AAAA' })).toEqual([404, expect.any(String)])
    expect(await refused({ name: 'x.example.net', type: 'A' })).toEqual([404, expect.any(String)])
    expect(zone()).toBe(before)
  })
})

itInDepth('thousands of orphans are told by a deploy and a plan in a few lines', async () => {
  const lines = Array.from(
    { length: 30 },
    (_, i) => `o${i}.example.com. 300 IN A 203.0.113.77 ; ${mark()}${77 + i}`,
  )
  write(lines.join('\n'))
  const more = 'And 10 more: all of them are in GET /api/drift.'
  const deployed = await good('POST', '/api/deploy-all')
  expect(deployed['warnings']).toHaveLength(21)
  expect(deployed['warnings']).toContain(more)
  const { plan } = (await good('POST', '/api/plans', {})) as unknown as {
    plan: { warnings: readonly string[] }
  }
  expect(plan.warnings).toHaveLength(21)
  expect(plan.warnings).toContain(more)
  expect((await recordsOf('?state=orphan')).records).toHaveLength(30)
})

describe('an orphan that is another record by the time it is taken away', () => {
  const STRANGER = '203.0.113.99'
  /** Called once, when the next listing has been made. */
  let afterListing: (() => void) | null = null
  /** A provider whose stamp does not move with what is written past it. */
  let is_frozen = false
  beforeEach(async () => {
    afterListing = null
    is_frozen = false
    await at[Symbol.asyncDispose]()
    const dns = (provider: DnsProvider): DnsProvider => {
      const stamp = provider.stamp.bind(provider)
      const list = provider.list.bind(provider)
      let kept: string | null = null
      return Object.assign(provider, {
        stamp: async (...asked: Parameters<DnsProvider['stamp']>) =>
          is_frozen && kept !== null ? kept : (kept = await stamp(...asked)),
        async list(...asked: Parameters<DnsProvider['list']>) {
          const listed = await list(...asked)
          const then = afterListing
          afterListing = null
          then?.()
          return listed
        },
      })
    }
    // Nobody but the call looks, so the listing after which the file changes is the call's own first one.
    at = await openTestHouse({ env: ENV, wrap: { dns }, opened: false })
    app = await createActive(at.call, { domain: APP })
    write(`${OLD}. 300 IN A 203.0.113.77 ; ${mark()}77`)
  })
  const replace = () => writeFileSync(zoneFile(), zone().replace('203.0.113.77', STRANGER))

  it.each([
    ['which the pass sees', false],
    ['past the stamp, which only a look of its own sees', true],
  ])('stays, and the answer is 409 with what stands there: %s', async (_what, frozen) => {
    expect((await recordsOf('?state=orphan')).records).toHaveLength(1)
    is_frozen = frozen
    afterListing = frozen ? null : replace
    if (frozen) replace()
    else write('; seen anew')
    const answer = await at.call('POST', '/api/dns/records/remove', { body: ORPHAN })
    expect(zone()).toContain(STRANGER)
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining(STRANGER) } })
    is_frozen = false
    // It is nobody's wish any more, so no later pass takes it, either.
    await good('POST', `/api/domains/${app}/deploy`)
    expect(zone()).toContain(STRANGER)
    expect((await recordsOf('?state=orphan')).records).toMatchObject([{ name: OLD }])
  })
})

itInDepth(
  'an orphan in a zone that no record lies in is seen by whoever asks for that zone, and goes by the command',
  async () => {
    const id = await createActive(at.call, { domain: 'only.example.org' })
    await good('POST', `/api/domains/${id}/disable`)
    write(`old.example.org. 300 IN A 203.0.113.78 ; ${mark()}78`, zoneFile('example.org'))
    expect((await recordsOf('?zone=example.org')).records).toMatchObject([
      { state: 'orphan', cause: 'orphan' },
    ])
    const env = {
      ...ENV,
      PLUMBLINE_DATA_DIR: at.directory,
      PLUMBLINE_LISTEN: '127.0.0.1:0',
    }
    const listed = await run(['dns', 'records', 'example.org'], env)
    expect(listed.out).toMatch(/orphan +A +old\.example\.org/)
    const words = ['dns', 'remove', 'A', 'old.example.org']
    const shown = await run([...words, '--dry-run'], env)
    expect(shown).toMatchObject({
      code: 2,
      out: expect.stringMatching(/- +A old\.example\.org +dns: delete/),
    })
    expect(readFileSync(zoneFile('example.org'), 'utf8')).toContain('203.0.113.78')
    expect(await run([...words, '--confirm', '0'.repeat(64)], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Either something has changed since'),
    })
    const [hash] = /[0-9a-f]{64}/.exec(shown.err)!
    const removed = await run([...words, '--confirm', hash], env)
    expect(removed.code, removed.err).toBe(0)
    expect(readFileSync(zoneFile('example.org'), 'utf8')).not.toContain('203.0.113.78')
  },
)

itInDepth(
  "a stranger's AAAA beside our A is on every page of the domain, keeps nothing from being deployed, and stays",
  async () => {
    write(`${APP}. 300 IN AAAA 2001:db8:ffff::1`)
    const { drift, records } = await recordsOf()
    expect(drift).toBe(true)
    expect(records.filter(({ type }) => type === 'AAAA')).toMatchObject([
      { name: APP, state: 'foreign', cause: 'foreign_owner', detail: expect.stringContaining('prefer IPv6') },
    ])
    const explained = await good('GET', `/api/domains/${app}/explain`)
    expect(explained['summary']).toMatch(/dns is held by somebody else/)
    expect(explained['components']).toContainEqual(
      expect.objectContaining({ component: 'dns', agrees: false, cause: 'foreign_owner' }),
    )
    await expect.poll(() => healthOf('dns:example.com')).toMatchObject({ ok: false, cause: 'foreign_owner' })
    const { warnings } = await good('POST', `/api/domains/${app}/deploy`)
    expect(warnings).toContainEqual(expect.stringContaining('AAAA'))
    expect((await at.call('GET', `/api/domains/${app}`)).body).toMatchObject({ status: 'active' })
    for (const verb of ['adopt', 'remove'])
      expect(
        await at.call('POST', `/api/dns/records/${verb}`, { body: { name: APP, type: 'AAAA' } }),
      ).toMatchObject({
        status: 409,
      })
    expect(zone()).toContain('2001:db8:ffff::1')
  },
)

it('one of ours whose removal is open cannot be adopted, and is told why and what keeps it', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  await good('PUT', '/api/modes/dns', { mode: 'suspend', reason: 'a look first', expires_at })
  await good('DELETE', `/api/domains/${app}`)
  const adopt = () => at.call('POST', '/api/dns/records/adopt', { body: { name: APP, type: 'A' } })
  expect(await adopt()).toMatchObject({
    status: 409,
    body: {
      detail:
        'A app.example.com cannot be adopted: it is ours already and is to be taken away, because its domain was disabled or deleted. ' +
        'To keep it as it is, give it up: plumbline dns release A app.example.com. To keep it as ours, deploy a domain of this name.',
    },
  })
  await at.call('POST', '/api/dns/records/release', { body: { name: APP, type: 'A' } })
  expect((await adopt()).body['detail']).toContain('cannot be adopted. It is being given up.')
  await good('PUT', '/api/modes/dns', { mode: 'repair' })
  await good('POST', '/api/deploy-all')
  expect(zone()).toMatch(/^app\t300\tIN\tA\t203\.0\.113\.10$/m)
})
