/** Names that depend on one another, when one of them cannot be had: the others go on, or all of a chain go back. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rowOf } from '../../src/model/intent.ts'
import type { Store } from '../../src/ports/store.ts'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const ZONE = 'chain.test'
const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'names in a chain', () => {
  let world: DnsWorld
  let liar: Liar
  let env: Readonly<Record<string, string>>
  let at: TestHouse
  let store: Store
  beforeAll(async () => {
    world = await software.start([ZONE])
    liar = await lyingPowerDns(world.tcp_port)
    env = {
      ...world.through(liar.port),
      PLUMBLINE_PUBLIC_IP: PUBLIC,
      PLUMBLINE_TRAEFIK_VERSION: '3.7.0',
    }
    at = await openTestHouse({ env, wrap: { store: (opened) => (store = opened) } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await liar.close()
    await world.stop()
  })

  const hold = (name: string) => world.put(ZONE, { name, type: 'A', ttl: 300, values: [STRANGER] })
  const save = async (id: number, body: object) =>
    expect((await at.call('PUT', `/api/domains/${id}`, { body })).status).toBe(200)
  const read = async (id: number) => (await at.call('GET', `/api/domains/${id}`)).body

  itInDepth('one that follows another that is refused is refused with it, and nobody else', async () => {
    const [x, a, b] = [`x1.${ZONE}`, `a1.${ZONE}`, `b1.${ZONE}`]
    await hold(x)
    const first = await createActive(at.call, { domain: a })
    const second = await createActive(at.call, { domain: b })
    const third = await createActive(at.call, { domain: `c1.${ZONE}` })
    await save(first, { domain: x })
    await save(second, { domain: a })
    await save(third, { backend_port: 9191 })
    const all = await at.call('POST', '/api/deploy-all')
    expect(all.status).toBe(200)
    expect(all.body).toMatchObject({
      success: false,
      message: expect.stringContaining('; 1 changed. 2 were refused.'),
      domain_ids: [third],
      refused: [
        { domain_id: first, domain: x, code: 'foreign_owner' },
        { domain_id: second, domain: a, code: 'conflict' },
      ],
    })
    expect(at.routes()).toContain(':9191')
    for (const name of [a, b]) expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    await at.call('DELETE', `/api/domains/${first}`)
    await at.call('DELETE', `/api/domains/${second}`)
  })

  it('a TCP route is not deployed below an HTTPS star that stays because its new name is held', async () => {
    const [held, app] = [`held2.${ZONE}`, `app.t2.${ZONE}`]
    await hold(held)
    const star = await createActive(at.call, { domain: `*.t2.${ZONE}` })
    const route = await createActive(at.call, {
      domain: `elsewhere2.${ZONE}`,
      service_type: 'tcp-proxy',
      tcp_entrypoint: 'websecure',
    })
    await save(star, { domain: held })
    await save(route, { domain: app })
    const all = await at.call('POST', '/api/deploy-all')
    expect(all.body).toMatchObject({ success: false, domain_ids: [] })
    expect(at.routes()).not.toContain(app)
    const asked = await at.call('DELETE', `/api/domains/${star}`)
    await at.call('DELETE', `/api/domains/${star}?confirm=${String(asked.body['plan_hash'])}`)
    await at.call('DELETE', `/api/domains/${route}`)
  })

  itInDepth('all of a chain go back where the first name is refused only then', async () => {
    const [x, a, b] = [`x3.${ZONE}`, `a3.${ZONE}`, `b3.${ZONE}`]
    const first = await createActive(at.call, { domain: a })
    const second = await createActive(at.call, { domain: b })
    await save(first, { domain: x })
    await save(second, { domain: a })
    liar.promise([x])
    const all = await at.call('POST', '/api/deploy-all')
    expect([all.status, all.body['success']]).toEqual([200, false])
    for (const name of [a, b]) {
      expect(at.routes()).toContain(`site_${name}"`)
      expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    }
    expect(at.routes()).not.toContain(x)
    expect(await read(first)).toMatchObject({ status: 'error', domain: x })
    expect(await read(second)).toMatchObject({ status: 'error', domain: a })
    liar.promise([])
    const again = await at.call('POST', '/api/deploy-all')
    expect(again.body).toMatchObject({ success: true })
    expect(await world.dig(x, 'A')).toEqual([PUBLIC])
    expect(await world.dig(b, 'A')).toEqual([])
    for (const id of [first, second]) await at.call('DELETE', `/api/domains/${id}`)
  })

  itOneIn(3).each([
    [
      'the rename is taken back, and the domain deleted',
      async (id: number) => {
        await save(id, { domain: `a4.${ZONE}` })
        await at.call('POST', `/api/domains/${id}/deploy`)
        return at.call('DELETE', `/api/domains/${id}`)
      },
    ],
    [
      'the domain becomes internal',
      async (id: number) => {
        await save(id, { domain: `a4.${ZONE}`, service_type: 'internal' })
        return at.call('POST', `/api/domains/${id}/deploy`)
      },
    ],
    [
      'another name is taken, and the domain disabled',
      async (id: number) => {
        await save(id, { domain: `y4.${ZONE}` })
        await at.call('POST', `/api/domains/${id}/deploy`)
        return at.call('POST', `/api/domains/${id}/disable`)
      },
    ],
  ])('a record that was adopted for a name never deployed stays: %s', async (_what, leave) => {
    const x = `x4.${ZONE}`
    await hold(x)
    const id = await createActive(at.call, { domain: `a4.${ZONE}` })
    await save(id, { domain: x })
    expect((await at.call('POST', '/api/dns/records/adopt', { body: { name: x, type: 'A' } })).status).toBe(
      200,
    )
    expect((await leave(id)).status).toBe(200)
    await at.call('POST', '/api/reconcile?target=dns')
    expect(await world.dig(x, 'A')).toEqual([STRANGER])
    await at.call('DELETE', `/api/domains/${id}`)
    expect(await world.dig(x, 'A')).toEqual([STRANGER])
  })

  itInDepth('what was adopted for one record is a stranger to another', async () => {
    const x = `x5.${ZONE}`
    await hold(x)
    const id = await createActive(at.call, { domain: `a5.${ZONE}` })
    await save(id, { domain: x })
    await at.call('POST', '/api/dns/records/adopt', { body: { name: x, type: 'A' } })
    await save(id, { domain: `a5.${ZONE}` })
    const other = await createActive(at.call, { domain: `b5.${ZONE}` })
    await save(other, { domain: x })
    expect((await at.call('POST', `/api/domains/${other}/deploy`)).status).toBe(409)
    expect(await world.dig(x, 'A')).toEqual([STRANGER])
    for (const one of [id, other]) await at.call('DELETE', `/api/domains/${one}`)
  })

  /** As after a kill right behind the release: it stands, and nobody has taken the name. */
  const cutOff = async (id: number, to: string) => {
    await save(id, { domain: to })
    const record = (await store.domain(id))!
    await store.write(async (tx) => {
      await tx.openActivation(id, Date.now())
      const asked = { actor: 'key', request_id: 'cut', reason: 'deploy', plan_hash: null, warnings: [] }
      await at.house.engine.release(tx, { ...asked, rows: [{ domain_id: id, row: rowOf(record) }] })
    })
    at = await at.reopen()
  }

  itInDepth(
    'what the end of the process cut off goes back at the next start where it is refused',
    async () => {
      const [from, to] = [`a6.${ZONE}`, `x6.${ZONE}`]
      const id = await createActive(at.call, { domain: from })
      await hold(to)
      await cutOff(id, to)
      await expect.poll(async () => (await read(id))['status']).toBe('error')
      expect((await read(id))['status_reason']).toContain(`${from} stays as it is`)
      await expect.poll(() => at.routes()).toContain(from)
      expect(at.routes()).not.toContain(to)
      expect(await world.dig(from, 'A')).toEqual([PUBLIC])
      expect(await world.dig(to, 'A')).toEqual([STRANGER])
      await world.put(ZONE, { name: to, type: 'A', ttl: 300, values: [] })
      expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
      expect(await world.dig(to, 'A')).toEqual([PUBLIC])
    },
  )

  itInDepth(
    'what it cut off goes on at the next start where the name is accepted and not shown yet',
    async () => {
      const [from, to] = [`a7.${ZONE}`, `x7.${ZONE}`]
      const id = await createActive(at.call, { domain: from })
      liar.promise([to])
      await cutOff(id, to)
      await expect
        .poll(async () => JSON.stringify((await at.call('GET', '/api/drift')).body))
        .toContain('asked of the provider and not listed yet')
      expect(await world.dig(from, 'A')).toEqual([PUBLIC])
      expect(await read(id)).toMatchObject({ status: 'active', domain: to })
      await expect.poll(() => at.routes()).toContain(to)
      liar.promise([])
      await at.call('POST', '/api/reconcile?target=dns')
      await expect.poll(() => world.dig(to, 'A')).toEqual([PUBLIC])
      await expect.poll(() => world.dig(from, 'A')).toEqual([])
      await expect.poll(() => store.openActivations()).toEqual([])
    },
  )
})
