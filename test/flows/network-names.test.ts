/** Names of guests at a controller over the whole daemon and real HTTP: planned, written once, kept where a person gave one, and settled after a crash. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { type FakeGuest, PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

let unifi: UnifiApi
let proxmox: ProxmoxApi
let clock: HandClock

type User = Record<string, unknown>
const user = (at: number, over: object = {}): User => ({
  _id: `u${at}`,
  mac: macOf(at),
  hostname: `dhcp-${at}`,
  ...over,
})
const macOf = (at: number) => `bc:24:11:00:00:${at.toString(16).padStart(2, '0')}`
const guest = (at: number, over: Partial<FakeGuest> = {}): FakeGuest => ({
  type: 'qemu',
  vmid: 100 + at,
  name: `guest${at}`,
  config: { net0: `virtio=${macOf(at).toUpperCase()},bridge=vmbr0` },
  ...over,
})

beforeEach(async () => {
  unifi = await unifiApi()
  proxmox = await proxmoxApi()
  clock = handClock(Date.now())
  unifi.lists.set('rest/user', [
    user(1),
    user(2, { name: 'dhcp-2' }),
    user(3, { name: 'by hand' }),
    user(4, { name: 'guest4' }),
  ])
  proxmox.guests = [guest(1), guest(2, { status: 'stopped' }), guest(3), guest(4), guest(5)]
})
afterEach(async () => {
  await unifi.close()
  await proxmox.close()
})

const env = () => ({
  PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
  PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
  PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
  PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
})
const open = (directory?: string): Promise<TestHouse> =>
  openTestHouse({ env: env(), opened: false, clock, ...(directory !== undefined && { directory }) })

interface Answer extends Record<string, unknown> {
  readonly renamed: readonly User[]
}
async function sync({ call }: TestHouse, query = '', status = 200): Promise<Answer> {
  const answer = await call('POST', `/companions/network/api/sync-names${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body as unknown as Answer
}
const names = (): readonly unknown[] => (unifi.lists.get('rest/user') as User[]).map(({ name }) => name)
const writes = (): readonly string[] => unifi.asked.filter((line) => line.startsWith('PUT '))
const later = () => clock.pass(20_000)

/** What answers a write; the list is changed before, where it is done. */
const onWrite =
  (answer: (request: IncomingMessage, response: ServerResponse) => void): NonNullable<UnifiApi['answer']> =>
  (request, response) => {
    if (request.method !== 'PUT') return false
    answer(request, response)
    return true
  }
const rowOf = ({ url }: IncomingMessage): User =>
  (unifi.lists.get('rest/user') as User[]).find(({ _id }) => url!.endsWith(`/${_id as string}`))!

describe('names of guests', () => {
  it('are planned, then written, and a second run changes nothing', async () => {
    await using house = await open()
    const plan = await sync(house, '?dry_run=true')
    expect(plan).toMatchObject({
      success: true,
      dry_run: true,
      renamed: [
        {
          mac: macOf(1),
          name_before: null,
          name: 'guest1',
          guest: 'lab/qemu/101',
          user_id: 'u1',
          controller: 'home',
          site: 'default',
        },
        { mac: macOf(2), name_before: 'dhcp-2', name: 'guest2' },
      ],
      unchanged: 1,
      skipped: [
        { reason: 'named_by_hand', mac: macOf(3), name: 'by hand' },
        { reason: 'never_seen', mac: macOf(5), controller: null },
      ],
    })
    expect(plan['plan']).toMatchObject({
      rows: [],
      actions: [
        {
          component: 'network',
          verb: 'create',
          item: `name of ${macOf(1)} at home/default`,
          before: null,
          after: 'guest1',
        },
        { verb: 'update', before: 'dhcp-2', after: 'guest2' },
      ],
      warnings: [],
    })
    expect(writes()).toEqual([])
    const done = await sync(house)
    expect({ ...done, dry_run: true, plan: plan['plan'] }).toEqual(plan)
    expect(names()).toEqual(['guest1', 'guest2', 'by hand', 'guest4'])
    expect(writes()).toHaveLength(2)
    later()
    expect(await sync(house)).toMatchObject({ renamed: [], unchanged: 3, failed: [], recovered: [] })
    expect(writes()).toHaveLength(2)
    const { body } = await house.call('GET', '/api/audit?action=sync_network_names')
    expect(JSON.stringify(body)).toContain('"written":2')
  })

  it('follow the guest where the name is one of ours, and a name by hand is kept unless somebody says otherwise', async () => {
    await using house = await open()
    await sync(house)
    proxmox.guests = [guest(1, { name: 'guest0' }), guest(3)]
    later()
    expect(await sync(house)).toMatchObject({ renamed: [{ name_before: 'guest1', name: 'guest0' }] })
    later()
    ;(unifi.lists.get('rest/user') as User[])[0]!['name'] = 'mine'
    expect(await sync(house)).toMatchObject({ renamed: [], skipped: [{ name: 'mine' }, { name: 'by hand' }] })
    expect(await sync(house, '?overwrite=true')).toMatchObject({
      renamed: [{ name_before: 'mine' }, { name_before: 'by hand', name: 'guest3' }],
    })
  })

  it('that a person gave while a list was slow are kept, however old what was read is', async () => {
    let reads = 0
    unifi.answer = (request, response) => {
      if (request.method !== 'GET' || !request.url!.endsWith('/rest/user')) return false
      // What is answered was true when it was asked for; meanwhile a person gave a name.
      const data = JSON.stringify({ meta: { rc: 'ok' }, data: unifi.lists.get('rest/user') })
      response.writeHead(200, { 'content-type': 'application/json' }).end(data)
      // The look at the whole controller comes first.
      if (reads++ === 1) {
        ;(unifi.lists.get('rest/user') as User[])[0]!['name'] = 'mine'
        clock.pass(6_000)
      }
      return true
    }
    await using house = await open()
    expect(await sync(house)).toMatchObject({
      success: false,
      renamed: [{ name: 'guest2' }],
      failed: [{ name: 'guest1', why: expect.stringMatching(/changed meanwhile/) }],
    })
    expect(names()[0]).toBe('mine')
  })

  it('that failed to be written, or are an earlier one of ours, are a person’s where they stand', async () => {
    unifi.answer = onWrite((_request, response) => response.writeHead(502).end('{}'))
    await using house = await open()
    await sync(house)
    unifi.answer = null
    ;(unifi.lists.get('rest/user') as User[])[0]!['name'] = 'guest1'
    proxmox.guests = [guest(1, { name: 'other' })]
    later()
    expect(await sync(house)).toMatchObject({ renamed: [], skipped: [{ name: 'guest1' }] })
    await sync(house, '?overwrite=true')
    proxmox.guests = [guest(1, { name: 'third' })]
    later()
    expect(await sync(house)).toMatchObject({ renamed: [{ name_before: 'other', name: 'third' }] })
    ;(unifi.lists.get('rest/user') as User[])[0]!['name'] = 'other'
    later()
    expect(await sync(house)).toMatchObject({ renamed: [], skipped: [{ name: 'other' }] })
  })

  it('are cut between two characters, and not written again', async () => {
    proxmox.guests = [guest(1, { name: `${'x'.repeat(127)}😀` })]
    await using house = await open()
    expect(await sync(house)).toMatchObject({ renamed: [{ name: 'x'.repeat(127) }] })
    later()
    expect(await sync(house)).toMatchObject({ renamed: [], unchanged: 1 })
  })

  it('are given to no card that two guests have', async () => {
    proxmox.guests = [guest(1), { ...guest(1), vmid: 900, name: 'twin' }]
    await using house = await open()
    expect(await sync(house)).toMatchObject({
      renamed: [],
      skipped: [{ reason: 'ambiguous', guests: ['guest1', 'twin'] }],
    })
  })

  itInDepth('are more than 50 only where somebody confirms', async () => {
    const many = Array.from({ length: 51 }, (_, at) => at)
    unifi.lists.set(
      'rest/user',
      many.map((at) => user(at)),
    )
    proxmox.guests = many.map((at) => guest(at))
    await using house = await open()
    expect((await sync(house, '?dry_run=true'))['plan']).toMatchObject({
      warnings: [expect.stringMatching(/more than 50 .*confirm=true/) as unknown],
    })
    const refused = await house.call('POST', '/companions/network/api/sync-names')
    expect(refused.body).toMatchObject({ code: 'refused_by_guard' })
    expect(writes()).toEqual([])
    expect((await sync(house, '?confirm=true')).renamed).toHaveLength(51)
  })
})

describe('nothing is written', () => {
  it('while a guest may be hidden', async () => {
    proxmox.answer = (_request, response) => {
      response.writeHead(500).end()
      return true
    }
    await using house = await open()
    expect((await sync(house, '', 503))['detail']).toMatch(/guests are known: .*lab/)
    expect(writes()).toEqual([])
  })

  it('by a key that may not write, and what would help is said', async () => {
    unifi.read_only = true
    await using house = await open()
    expect((await sync(house, '', 503))['detail']).toMatch(
      /right to write \(PLUMBLINE_UNIFI_API_KEY\)\. Nothing was written/,
    )
    expect(writes()).toHaveLength(1)
    unifi.read_only = false
    expect((await sync(house)).renamed).toHaveLength(2)
  })

  it('without a key of ours, or without a source', async () => {
    await using house = await open()
    expect((await house.call('POST', '/companions/network/api/sync-names', { key: null })).status).toBe(401)
    await using bare = await openTestHouse({ opened: false })
    expect((await sync(bare, '', 503))['detail']).toMatch(/PLUMBLINE_PROXMOX is not set/)
  })
})

describe('a write whose outcome is not known', () => {
  it('is read again and not repeated: it was done', async () => {
    unifi.answer = onWrite((request, response) => {
      rowOf(request)['name'] = request.url!.endsWith('u1') ? 'guest1' : 'guest2'
      response.destroy()
    })
    await using house = await open()
    expect(await sync(house)).toMatchObject({
      success: true,
      renamed: [{ name: 'guest1' }, { name: 'guest2' }],
    })
    expect(writes()).toHaveLength(2)
  })

  it('was not done', async () => {
    unifi.answer = onWrite((_request, response) => response.writeHead(502).end('{}'))
    await using house = await open()
    expect(await sync(house)).toMatchObject({
      success: false,
      renamed: [],
      failed: [{ name: 'guest1' }, { name: 'guest2' }],
    })
    expect(writes()).toHaveLength(2)
  })

  it('is settled by the next run where the controller was gone, and nothing more was written there', async () => {
    let is_dark = false
    unifi.answer = (request, response) => {
      if (request.method === 'PUT') {
        rowOf(request)['name'] = 'guest1'
        is_dark = true
      }
      if (is_dark) response.destroy()
      return is_dark
    }
    await using house = await open()
    expect(await sync(house)).toMatchObject({
      success: false,
      renamed: [],
      failed: [{ name: 'guest1', why: expect.stringMatching(/not known/) }, { name: 'guest2' }],
    })
    expect(writes()).toHaveLength(1)
    unifi.answer = null
    later()
    expect(await sync(house)).toMatchObject({
      recovered: [{ name: 'guest1', outcome: 'written' }],
      renamed: [{ name: 'guest2' }],
    })
    expect(writes()).toHaveLength(2)
  })
})

it('a name of ours whose guest is gone is an orphan of the inventory, until the client is called otherwise', async () => {
  unifi.lists.set('stat/alluser', [])
  unifi.lists.set('stat/sta', [])
  await using house = await open()
  await sync(house)
  const orphans = async () => {
    unifi.lists.set('stat/sta', unifi.lists.get('rest/user')!)
    later()
    return (await house.call('GET', '/companions/inventory/api/orphans')).body
  }
  expect(await orphans()).toMatchObject({ orphans: [] })
  proxmox.guests = [guest(2), guest(3), guest(4)]
  expect(await orphans()).toMatchObject({
    ok: false,
    orphans: [{ kind: 'name_without_asset', id: macOf(1), name: 'guest1' }],
  })
  ;(unifi.lists.get('rest/user') as User[])[0]!['name'] = 'mine'
  expect(await orphans()).toMatchObject({ orphans: [] })
  proxmox.answer = (_request, response) => {
    response.writeHead(500).end()
    return true
  }
  const { unknown_kinds } = await orphans()
  expect(unknown_kinds).toContainEqual(expect.objectContaining({ kind: 'name_without_asset' }))
})
