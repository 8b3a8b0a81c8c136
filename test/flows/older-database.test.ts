/** A database that is older than the world writes nothing outside until a person decides; then the world is whole. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../../src/kernel/log.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { withoutStamp } from '../../src/features/ssh-clients/model/block.ts'
import { byTier, inDepth } from '../kit/tier.ts'
import { ED25519, OTHER } from '../model/ssh/keys.ts'
import { run, start } from './command.ts'
import { goodAt, keepEarlier, outsideOf, setBackTo, type Way, WAYS } from './older-database.ts'
import { OWNER, type PeopleWorld, peopleWorld } from './people-world.ts'
import { create, createActive, createAllActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, describeOneIn } from '../kit/in-depth.ts'

const RESUME = '/api/releases/resume'
const NEW = 'new.example.com'
const EDITED = 'edited.example.com'
const DISABLED = 'disabled.example.com'
const DELETED = 'deleted.example.com'
const PERSON = 'owner'

const ENV = () => ({
  ...people.env,
  PLUMBLINE_DNS_PROVIDER: 'zonefile',
  PLUMBLINE_DNS_ZONES: 'example.com',
  PLUMBLINE_PUBLIC_IP: '203.0.113.10',
  PLUMBLINE_AUTHORIZED_KEYS: keys,
})

let people: PeopleWorld
let at: TestHouse
let keys: string
let errors: string[]

const log: Log = { ...silentLog, error: (message) => void errors.push(message) }

beforeEach(async () => {
  errors = []
  people = await peopleWorld(OWNER)
  keys = join(people.users_path, '..', '..', 'keys', 'authorized_keys')
  mkdirSync(join(keys, '..'))
  at = await openTestHouse({
    log,
    env: ENV(),
  })
})
afterEach(async () => {
  await at[Symbol.asyncDispose]()
  await people[Symbol.asyncDispose]()
})

const outside = () =>
  outsideOf([
    join(at.directory, 'traefik'),
    join(at.directory, '.traefik.plumbline'),
    join(at.directory, 'zones'),
    join(people.users_path, '..', '..'),
  ])

const good = goodAt(() => at)

interface Estate {
  readonly edited: number
  readonly disabled: number
  readonly deleted: number
}

/** Records in every state, a key and a person, before the earlier copy is taken. */
async function founded(extra = 0): Promise<Estate> {
  const edited = await createActive(at.call, { domain: EDITED })
  const disabled = await createActive(at.call, { domain: DISABLED })
  const deleted = await createActive(at.call, { domain: DELETED })
  const more = Array.from({ length: extra }, (_, i) => `more-${i}.example.com`)
  if (extra > 0) await createAllActive(at.call, more)
  await good('POST', '/api/ssh-clients', { public_key: ED25519, name: 'laptop-of-jo' })
  return { edited, disabled, deleted }
}

/** Ten changes, each of which moves something outside. In this order, so that the first ones stand for fewer. */
function changes({ edited, disabled, deleted }: Estate): readonly (() => Promise<unknown>)[] {
  return [
    () => good('DELETE', '/api/ssh-clients', { key: 'laptop-of-jo' }),
    () => good('POST', `/api/domains/${disabled}/disable`),
    () => good('DELETE', `/api/domains/${deleted}`),
    () => good('PUT', `/api/domains/${edited}`, { backend_port: 9999 }),
    () => good('POST', `/api/domains/${edited}/activate`),
    () => create(at.call, { domain: NEW }),
    async () => good('POST', `/api/domains/${await idOf(NEW)}/activate`),
    () => good('POST', '/api/ssh-clients', { public_key: OTHER, name: 'phone-of-jo' }),
    () => good('POST', `/api/users/${PERSON}/revoke`),
    () => good('POST', `/api/domains/${edited}/deactivate`),
  ]
}

async function idOf(domain: string): Promise<number> {
  const body = (await at.call('GET', '/api/domains')).body as unknown as readonly {
    domain: string
    id: number
  }[]
  return body.find((one) => one.domain === domain)!.id
}

const survives = () => create(at.call, { domain: 'draft.example.com' })

/** Every key has been looked at since the start, so whatever would be written has been. */
async function settled(): Promise<void> {
  await expect.poll(() => at.house.engine.lastReports().length).toBe(at.house.engine.keys().length)
}

const healthOf = async (name: string) => {
  const { components } = (await at.call('GET', '/api/control-plane/health?probe=true')).body as unknown as {
    components: readonly { name: string; ok: boolean; cause: string | null; message: string }[]
  }
  return components.find((component) => component.name === name)
}

describeOneIn(4).each(WAYS)('a database that was set back (%s)', (way: Way) => {
  it.each(byTier([10], [1, 10]))(
    'by %i changes writes nothing outside and names both sides',
    async (count) => {
      const estate = await founded()
      using earlier = await keepEarlier(at.directory, way, survives)
      for (const step of changes(estate).slice(0, count)) await step()
      const before = outside()
      at = await setBackTo(earlier, at)
      await settled()
      for (const path of [`/api/domains/${estate.edited}/activate`, '/api/reconcile', '/api/deploy-all'])
        expect(await at.call('POST', path), path).toMatchObject({
          status: 409,
          body: {
            code: 'restored_from_backup',
            waiting: true,
            detail: expect.stringContaining('plumbline releases resume'),
          },
        })
      expect(await at.call('DELETE', '/api/ssh-clients', { body: { key: 'laptop-of-jo' } })).toMatchObject({
        status: 409,
      })
      expect((await at.call('GET', '/ready')).status).toBe(503)
      await expect.poll(() => healthOf('world')).toMatchObject({ ok: false, cause: 'restored_from_backup' })
      expect(errors).toContain('the world is newer than the database: nothing is written outside')
      expect((await at.call('GET', '/api/domains')).status).toBe(200)
      at = await at.reopen()
      await settled()
      expect(outside()).toEqual(before)
    },
  )
})

async function decided(take: 'database' | 'world') {
  const plan = await good('POST', RESUME, { take })
  expect(JSON.stringify(plan), 'no file of the world holds them').toContain('which routes are in quarantine')
  expect(await at.call('POST', `${RESUME}?confirm=${'0'.repeat(64)}`, { body: { take } })).toMatchObject({
    status: 409,
    body: { code: 'conflict', plan_hash: plan['hash'] },
  })
  await good('POST', `${RESUME}?confirm=${plan['hash'] as unknown as string}`, { take })
}

/** What DNS has and the database that was taken does not know is a person's to take away. */
async function expectWhole(take: 'database' | 'world'): Promise<void> {
  const { records } = (await good('GET', '/api/dns/records?state=orphan')) as unknown as {
    records: readonly { name: string; type: string }[]
  }
  if (take === 'world') expect(records).toEqual([])
  for (const { name, type } of records) await good('POST', '/api/dns/records/remove', { name, type })
  await expect.poll(async () => (await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false })
  await expect.poll(() => healthOf('world')).toMatchObject({ ok: true })
  const { invariants } = (await at.call('GET', '/api/control-plane/health?probe=true')).body as unknown as {
    invariants: readonly { name: string; holds: boolean | null }[]
  }
  expect(invariants.filter(({ holds }) => holds !== true)).toEqual([])
  expect((await at.call('GET', '/ready')).status).toBe(200)
  await createActive(at.call, { domain: 'after.example.com' })
  at = await at.reopen()
  await settled()
  await expect.poll(() => healthOf('world')).toMatchObject({ ok: true })
}

const keysText = () => readFileSync(keys, 'utf8')
const statusOf = async (domain: string) => {
  const body = (await at.call('GET', '/api/domains')).body as unknown as readonly {
    domain: string
    status: string
  }[]
  return body.find((one) => one.domain === domain)?.status ?? null
}

describeInDepth('a person decides', () => {
  const broughtBack = async () => {
    const estate = await founded()
    using earlier = await keepEarlier(at.directory, 'backup', survives)
    for (const step of changes(estate)) await step()
    at = await setBackTo(earlier, at)
    await settled()
  }

  it('for the world: what it has comes in, and nothing that is off there comes back', async () => {
    await broughtBack()
    const bytes = at.routes()
    await decided('world')
    expect(at.routes()).toBe(bytes)
    expect(keysText()).not.toContain(ED25519)
    expect(keysText()).toContain(OTHER)
    expect(people.user(PERSON)).toMatchObject({ disabled: true })
    expect(await statusOf(NEW)).toBe('active')
    expect(await statusOf(EDITED)).toBe('inactive')
    expect(await statusOf(DISABLED)).toBe('disabled')
    expect(await statusOf(DELETED)).toBeNull()
    await expectWhole('world')
  })

  it('for the database: the world is brought to it', async () => {
    const estate = await founded()
    const bytes = at.routes()
    using earlier = await keepEarlier(at.directory, 'backup', survives)
    for (const step of changes(estate)) await step()
    at = await setBackTo(earlier, at)
    await settled()
    await decided('database')
    expect(at.routes()).toBe(bytes)
    expect(keysText()).toContain(ED25519)
    expect(keysText()).not.toContain(OTHER)
    expect(await statusOf(NEW)).toBeNull()
    expect(await statusOf(DELETED)).toBe('active')
    await expectWhole('database')
  })
})

describeInDepth('a start over an older database', () => {
  it('ends with code 66 where the settings say so, and the command shows both sides and decides', async () => {
    await founded()
    using earlier = await keepEarlier(at.directory, 'backup', survives)
    await good('DELETE', '/api/ssh-clients', { key: 'laptop-of-jo' })
    earlier.die()
    await at.house.close()
    earlier.setBack()
    const before = outside()
    const env = { ...ENV(), PLUMBLINE_DATA_DIR: at.directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
    const ended = await start(['serve'], { ...env, PLUMBLINE_OLDER_DATABASE: 'exit' }).done
    expect(ended.code, ended.err).toBe(66)
    expect(ended.err).toMatch(/The world is newer than this database.*plumbline releases resume/s)
    const asked = await run(['releases', 'resume', '--take', 'world'], env)
    expect(asked.out).toMatch(/The database is at change \d+\.\n.*ssh-gateway at change \d+, ahead/s)
    expect(asked.out).toMatch(/keys dropped: SHA256:\S+ laptop-of-jo/)
    expect(outside()).toEqual(before)
    const [, hash = ''] = /--confirm ([0-9a-f]{64})/.exec(asked.out) ?? []
    const done = await run(['releases', 'resume', '--take', 'world', '--confirm', hash], env)
    expect(done.code, done.err).toBe(0)
    at = await at.reopen()
    await settled()
    expect(keysText()).not.toContain(ED25519)
    expect((await at.call('GET', '/ready')).status).toBe(200)
  })

  it('waits by the marker of the key block alone, as behind SFTP, where every file of ours beside the world is lost', async () => {
    await founded()
    using earlier = await keepEarlier(at.directory, 'backup', survives)
    await good('DELETE', '/api/ssh-clients', { key: 'laptop-of-jo' })
    earlier.die()
    const down = at
    await down.house.close()
    earlier.setBack()
    for (const path of outside().keys()) if (path.endsWith('.plumbline')) rmSync(path)
    const before = outside()
    at = await down.reopen()
    await settled()
    expect(outside()).toEqual(before)
    expect(keysText()).not.toContain(ED25519)
    expect(await at.call('POST', RESUME, { body: { take: 'world' } })).toMatchObject({ status: 409 })
    await decided('database')
    expect(keysText()).toContain(ED25519)
  })
})

itInDepth('two installations write equal bytes: no number stands in what others read', async () => {
  await createActive(at.call, { domain: EDITED })
  const bytes = at.routes()
  await using other = await openTestHouse()
  for (let i = 0; i < 3; i++) await create(other.call, { domain: `draft-${i}.example.com` })
  await createActive(other.call, { domain: EDITED })
  expect(other.routes()).toBe(bytes)
  expect(outsideOf([join(other.directory, 'traefik')]).size).toBe(1)
})

inDepth(() => {
  const cases = WAYS.flatMap((way) =>
    [1, 10, 30].flatMap((count) => [[way, count, 'world'] as const, [way, count, 'database'] as const]),
  )

  describe('an estate of forty names', () => {
    it.each(cases)(
      'set back (%s) by %i changes is whole after a decision for the %s',
      async (way, count, take) => {
        const estate = await founded(37)
        using earlier = await keepEarlier(at.directory, way, survives)
        for (const step of moreChanges(estate).slice(-count)) await step()
        const before = outside()
        const newer = { routes: at.routes(), keys: withoutStamp(keysText()), users: people.text() }
        at = await setBackTo(earlier, at)
        await settled()
        at = await at.reopen()
        await settled()
        expect(outside()).toEqual(before)
        await decided(take)
        if (take === 'world')
          expect({ routes: at.routes(), keys: withoutStamp(keysText()), users: people.text() }).toEqual(newer)
        await expectWhole(take)
      },
    )
  })
})

/** Thirty of them; whatever of its end is taken moves something outside. */
function moreChanges(estate: Estate): readonly (() => Promise<unknown>)[] {
  const before = Array.from({ length: 20 }, (_, i) => async () => {
    const id = await idOf(`more-${i}.example.com`)
    return i % 3 === 0
      ? good('DELETE', `/api/domains/${id}`)
      : good('POST', `/api/domains/${id}/${i % 3 === 1 ? 'disable' : 'deactivate'}`)
  })
  return [...before, ...changes(estate)]
}
