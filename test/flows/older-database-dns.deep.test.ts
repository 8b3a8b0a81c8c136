/**
 * A database that is older than what stands at a real name server, where no file of ours is left beside the world: the
 * marks in DNS alone keep it from writing, and after a decision the world is whole.
 */
import { readdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsSoftware, type DnsWorld } from './dns-world.ts'
import { goodAt, keepEarlier, outsideOf } from './older-database.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const PUBLIC = '203.0.113.10'
const MOVED = '198.51.100.7'
const THEIRS = '2001:db8::66'
const RESUME = '/api/releases/resume'

describe.each(DNS_SOFTWARE)('$title', (software) => {
  describePeers(software.programs, 'a world that only DNS tells of', () => older(software))
})

function older(software: DnsSoftware): void {
  let world: DnsWorld
  let at: TestHouse
  let aside: string
  let tests = 0
  let zone: string
  let edited: number
  /** Where they were, and where they are meanwhile. */
  const kept = new Map<string, string>()

  beforeAll(async () => {
    world = await software.start(Array.from({ length: 3 }, (_, i) => `older${i + 1}.test`))
  })
  afterAll(() => world.stop())
  beforeEach(async () => {
    zone = `older${++tests}.test`
    kept.clear()
    aside = newFolder('aside')
    at = await openTestHouse({
      env: {
        ...world.env,
        PLUMBLINE_DNS_ZONES: zone,
        ...('PLUMBLINE_RFC2136_ZONES' in world.env && { PLUMBLINE_RFC2136_ZONES: zone }),
        PLUMBLINE_PUBLIC_IP: PUBLIC,
      },
    })
  })
  afterEach(() => at[Symbol.asyncDispose]())

  const good = goodAt(() => at)
  /** All that others read: every record with the serial, which rises with every write, and the routes file. */
  const outside = async () => ({
    zone: (await world.records(zone)).map((record) => JSON.stringify(record)).sort(),
    serial: (await world.dig(zone, 'SOA'))[0]?.split(' ')[2],
    files: outsideOf([join(at.directory, 'traefik')]),
  })
  /** Each file that says how far the world is. */
  const holders = (): string[] =>
    readdirSync(at.directory).flatMap((name) =>
      name.endsWith('.plumbline') ? [join(at.directory, name)] : [],
    )
  const settled = () =>
    expect.poll(() => at.house.engine.lastReports().length).toBe(at.house.engine.keys().length)
  const healthOf = async (name: string) => {
    const { components } = (await good('GET', '/api/control-plane/health?probe=true')) as unknown as {
      components: readonly { name: string; ok: boolean; cause: string | null; message: string }[]
    }
    return components.find((component) => component.name === name)
  }

  /** One is edited, one deleted and one new in DNS, of which the database knows nothing; nor is any holder file left. */
  async function setBack(): Promise<void> {
    edited = await createActive(at.call, { domain: `edited.${zone}` })
    const deleted = await createActive(at.call, { domain: `deleted.${zone}` })
    using earlier = await keepEarlier(at.directory, 'backup', () =>
      create(at.call, { domain: 'draft.example.com' }),
    )
    await good('PUT', `/api/domains/${edited}`, { static_ip: MOVED })
    await good('POST', `/api/domains/${edited}/deploy`)
    await good('DELETE', `/api/domains/${deleted}`)
    await createActive(at.call, { domain: `new.${zone}` })
    earlier.die()
    await at.house.close()
    earlier.setBack()
    expect(holders().length).toBeGreaterThan(0)
    for (const path of holders()) {
      kept.set(path, join(aside, basename(path)))
      renameSync(path, kept.get(path)!)
    }
    const before = await outside()
    at = await at.reopen()
    await settled()
    for (const path of [`/api/domains/${edited}/activate`, '/api/reconcile', '/api/deploy-all'])
      expect(await at.call('POST', path), path).toMatchObject({
        status: 409,
        body: { code: 'restored_from_backup', waiting: true },
      })
    expect((await at.call('GET', '/ready')).status).toBe(503)
    await expect
      .poll(() => healthOf('world'))
      .toMatchObject({
        ok: false,
        cause: 'restored_from_backup',
        message: expect.stringMatching(new RegExp(`dns \\(\\w+/${zone}\\) is at change`)),
      })
    at = await at.reopen()
    await settled()
    expect(await outside()).toEqual(before)
    expect(holders()).toEqual([])
    // DNS knows how far it is, and not what the newer database held.
    expect(await at.call('POST', RESUME, { body: { take: 'world' } })).toMatchObject({ status: 409 })
  }

  const decided = async (take: 'database' | 'world') => {
    const plan = await good('POST', RESUME, { take })
    return good('POST', `${RESUME}?confirm=${plan['hash'] as unknown as string}`, { take })
  }

  async function expectWhole(): Promise<void> {
    await expect.poll(async () => (await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
    await expect.poll(() => healthOf('world')).toMatchObject({ ok: true })
    expect((await at.call('GET', '/ready')).status).toBe(200)
    await createActive(at.call, { domain: `after.${zone}` })
    expect(await world.dig(`after.${zone}`, 'A')).toEqual([PUBLIC])
    at = await at.reopen()
    await settled()
    await expect.poll(() => healthOf('world')).toMatchObject({ ok: true })
  }

  it('waits; for the database, DNS is brought to it', async () => {
    await setBack()
    await decided('database')
    expect(await world.dig(`edited.${zone}`, 'A')).toEqual([PUBLIC])
    expect(await world.dig(`deleted.${zone}`, 'A')).toEqual([PUBLIC])
    // Of what the database does not know nothing is taken away.
    expect(await world.dig(`new.${zone}`, 'A')).toEqual([PUBLIC])
    expect(await good('GET', '/api/dns/records?state=orphan')).toMatchObject({
      drift: true,
      records: [{ name: `new.${zone}`, cause: 'orphan' }],
    })
    await good('POST', '/api/dns/records/remove', { name: `new.${zone}`, type: 'A' })
    expect(await world.dig(`new.${zone}`, 'A')).toEqual([])
    await expectWhole()
  })

  it('waits; for the world, whose file is put back, DNS stays as it is', async () => {
    await setBack()
    for (const [path, from] of kept) renameSync(from, path)
    await decided('world')
    expect(await world.dig(`edited.${zone}`, 'A')).toEqual([MOVED])
    expect(await world.dig(`deleted.${zone}`, 'A')).toEqual([])
    expect(await world.dig(`new.${zone}`, 'A')).toEqual([PUBLIC])
    await expectWhole()
  })

  it('waits; for the world, and what a stranger has beside a set of ours stays theirs', async () => {
    await setBack()
    const name = `new.${zone}`
    await world.put(zone, { name, type: 'AAAA', ttl: 300, values: [THEIRS] })
    for (const [path, from] of kept) renameSync(from, path)
    await decided('world')
    const { records } = (await good('GET', `/api/dns/records?domain=${name}`)) as unknown as {
      records: readonly { readonly type: string; readonly state: string }[]
    }
    expect(records.map(({ type, state }) => [type, state])).toEqual([
      ['A', 'owned'],
      ['AAAA', 'foreign'],
    ])
    await good('POST', '/api/reconcile')
    expect(await world.dig(name, 'AAAA')).toEqual([THEIRS])
  })
}
