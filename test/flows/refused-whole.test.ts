/** A domain that cannot be carried out whole is refused before its first write, and stops nobody else. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { inProcessRules } from '../kit/in-process-rules.ts'
import { freePort } from '../kit/ports.ts'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONE = 'whole.test'
const OTHER_ZONE = 'other-whole.test'
const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a name that somebody else holds', () => {
  let world: DnsWorld
  let liar: Liar
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start([ZONE, OTHER_ZONE])
    liar = await lyingPowerDns(world.tcp_port)
    at = await openTestHouse({ env: { ...world.through(liar.port), PLUMBLINE_PUBLIC_IP: PUBLIC } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await liar.close()
    await world.stop()
  })

  const hold = (name: string) => world.put(ZONE, { name, type: 'A', ttl: 300, values: [STRANGER] })
  const read = async (id: number) => (await at.call('GET', `/api/domains/${id}`)).body
  const release = async () =>
    (await at.call('GET', '/api/releases?limit=1')).body as unknown as readonly object[]
  const rename = async (from: string, to: string) => {
    const id = await createActive(at.call, { domain: from })
    expect((await at.call('PUT', `/api/domains/${id}`, { body: { domain: to } })).status).toBe(200)
    return id
  }

  itInDepth(
    'refuses a rename onto it with nothing changed, says so in the plan, and lets it be adopted beforehand',
    async () => {
      const [from, to] = [`old.${ZONE}`, `taken.${ZONE}`]
      await hold(to)
      const id = await rename(from, to)
      const before = { routes: at.routes(), release: await release() }

      const plan = await at.call('POST', '/api/plans', { body: { domain: id } })
      expect(plan.body['plan']).toMatchObject({
        applyable: false,
        rows: [],
        actions: [],
        guards: [{ rule: 'not_whole', confirmable: false }],
        refused: [{ domain_id: id, domain: to, code: 'foreign_owner' }],
      })
      const applied = await at.call('POST', `/api/plans/${String(plan.body['id'])}/apply`)
      const refused = [{ domain_id: id, domain: to, code: 'foreign_owner' }]
      expect(applied).toMatchObject({ status: 409, body: { code: 'foreign_owner', refused } })
      const direct = await at.call('POST', `/api/domains/${id}/deploy`)
      const answerOf = ({ status, body }: typeof direct) => [
        status,
        body['code'],
        body['detail'],
        body['refused'],
      ]
      expect(answerOf(applied)).toEqual(answerOf(direct))

      for (const verb of ['deploy', 'activate']) {
        const refused = await at.call('POST', `/api/domains/${id}/${verb}`)
        expect([refused.status, refused.body['code']]).toEqual([409, 'foreign_owner'])
        expect(refused.body['detail']).toContain('Nothing was changed')
      }
      expect({ routes: at.routes(), release: await release() }).toEqual(before)
      expect(await world.dig(from, 'A')).toEqual([PUBLIC])
      expect(await world.dig(to, 'A')).toEqual([STRANGER])
      expect((await read(id))['status']).toBe('active')

      // Taking it over says nothing of the old name, and nothing of what stands there yet.
      expect(
        (await at.call('POST', '/api/dns/records/adopt', { body: { name: to, type: 'A' } })).status,
      ).toBe(200)
      await at.call('POST', '/api/reconcile?target=dns')
      expect(await world.dig(to, 'A')).toEqual([STRANGER])
      expect(await world.dig(from, 'A')).toEqual([PUBLIC])
      expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
      expect(await world.dig(to, 'A')).toEqual([PUBLIC])
      expect(await world.dig(from, 'A')).toEqual([])
      expect(at.routes()).not.toContain(from)
    },
  )

  itInDepth('never stops the others of a deploy-all, which says what it left', async () => {
    const [held, free] = [`held.${ZONE}`, `free.${ZONE}`]
    await hold(held)
    const ids = [await rename(`from-held.${ZONE}`, held), await rename(`from-free.${ZONE}`, free)]
    const plan = (await at.call('POST', '/api/deploy-all?dry_run=true')).body['plan']
    expect(plan).toMatchObject({ applyable: true, rows: [{ domain: free }], refused: [{ domain: held }] })
    const all = await at.call('POST', '/api/deploy-all')
    expect(all.status).toBe(200)
    expect(all.body).toMatchObject({
      success: false,
      domain_ids: [ids[1]],
      refused: [{ domain_id: ids[0], domain: held, code: 'foreign_owner' }],
      pending: [{ domain_id: ids[0] }],
    })
    const kept = (await at.call('GET', '/api/deploy/status')).body
    expect(kept).toMatchObject({ success: false })
    expect(JSON.stringify(kept['warnings'])).toContain(held)
    expect(await world.dig(free, 'A')).toEqual([PUBLIC])
    expect(await world.dig(`from-held.${ZONE}`, 'A')).toEqual([PUBLIC])
    expect(at.routes()).toContain(`from-held.${ZONE}`)
    expect((await read(ids[0]!))['status']).toBe('active')
    await at.call('DELETE', `/api/domains/${ids[0]!}`)
  })

  itInDepth(
    'keeps the old name where the new one is accepted and not kept, and the record says why',
    async () => {
      const [from, to] = [`stays.${ZONE}`, `promised.${ZONE}`]
      const id = await rename(from, to)
      liar.promise([to])
      const refused = await at.call('POST', `/api/domains/${id}/deploy`)
      // What is accepted and not kept may come yet: it is no refusal of the name.
      expect([refused.status, refused.body['code']]).toEqual([503, 'component_unavailable'])
      expect(await world.dig(from, 'A')).toEqual([PUBLIC])
      expect(at.routes()).toContain(from)
      expect(at.routes()).not.toContain(to)
      const record = await read(id)
      expect(record).toMatchObject({ status: 'error', domain: to })
      expect(record['status_reason']).toContain(`${from} stays as it is`)
      // A way back is no damage: no rule of the database is broken by it.
      const look = inProcessRules({ directory: at.directory, clock: systemClock })
      const rules = await look(AbortSignal.timeout(30_000))
      expect(rules.filter(({ holds }) => holds !== true)).toEqual([])
      await at.call('POST', '/api/reconcile')
      expect((await read(id))['status']).toBe('error')
      liar.promise([])
      expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
      expect(await world.dig(to, 'A')).toEqual([PUBLIC])
      expect(await world.dig(from, 'A')).toEqual([])
      await expect.poll(async () => (await read(id))['status']).toBe('active')
    },
  )

  itInDepth('moves a name into another zone without a moment in which neither stands', async () => {
    const [from, to] = [`mover.${ZONE}`, `mover.${OTHER_ZONE}`]
    const id = await rename(from, to)
    liar.promise([to])
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(503)
    expect(await world.dig(from, 'A')).toEqual([PUBLIC])
    liar.promise([])
    const moved = await at.call('POST', `/api/domains/${id}/deploy`)
    expect([moved.status, moved.body['warnings']]).toEqual([200, []])
    expect(await world.dig(to, 'A')).toEqual([PUBLIC])
    expect(await world.dig(from, 'A')).toEqual([])
  })

  itInDepth('is not taken for free while the provider does not answer', async () => {
    const [from, to] = [`sure.${ZONE}`, `unsure.${ZONE}`]
    const dead = { PLUMBLINE_POWERDNS_URL: `http://127.0.0.1:${await freePort()}` }
    const env = { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC }
    const first = await openTestHouse({ env })
    const id = await createActive(first.call, { domain: from })
    await first.house.close()
    await using blind = await openTestHouse({ directory: first.directory, env: { ...env, ...dead } })
    await blind.call('PUT', `/api/domains/${id}`, { body: { domain: to } })
    const refused = await blind.call('POST', `/api/domains/${id}/deploy`)
    expect([refused.status, refused.body['code']]).toEqual([503, 'component_unavailable'])
    expect(refused.body['detail']).toContain(`${from} stays as it is`)
    expect(blind.routes()).toContain(from)
    // Its DNS records are kept, so nothing of them is open.
    const idle = await blind.call('POST', `/api/domains/${id}/deactivate`)
    expect([idle.status, idle.body['unfinished']]).toEqual([200, []])
    const retired = await blind.call('POST', `/api/domains/${id}/disable`)
    expect(retired.status).toBe(200)
    expect(retired.body['unfinished']).toMatchObject([{ component: 'dns', code: 'component_unavailable' }])
    expect(retired.body['message']).toMatch(/; not done yet: dns/)
    expect(blind.routes()).not.toContain(from)
  })

  itInDepth(
    'is not taken by who was never deployed while the provider does not answer: nothing is carried out in part',
    async () => {
      const name = `blind.${ZONE}`
      const dead = { PLUMBLINE_POWERDNS_URL: `http://127.0.0.1:${await freePort()}` }
      const env = { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC }
      const first = await openTestHouse({ env })
      await createActive(first.call, { domain: `seen.${ZONE}` })
      await first.house.close()
      await using house = await openTestHouse({ directory: first.directory, env: { ...env, ...dead } })
      const id = await create(house.call, { domain: name })
      const refused = await house.call('POST', `/api/domains/${id}/activate`)
      expect([refused.status, refused.body['code']]).toEqual([503, 'component_unavailable'])
      expect(refused.body['detail']).toContain('it is not deployed')
      expect((await house.call('GET', `/api/domains/${id}`)).body).toMatchObject({
        status: 'inactive',
      })
      expect(house.routes()).not.toContain(name)
      const shown = await house.call('POST', `/api/domains/${id}/activate?dry_run=true`)
      expect(shown.body['plan']).toMatchObject({ applyable: false, refused: [{ domain_id: id }] })
    },
  )

  it('is no concern of a call about somebody else', async () => {
    const mine = `mine.${ZONE}`
    await createActive(at.call, { domain: mine })
    await hold(mine)
    const other = await create(at.call, { domain: `neighbour.${ZONE}` })
    const done = await at.call('POST', `/api/domains/${other}/activate`)
    expect(done.status).toBe(200)
    expect(done.body).toMatchObject({ success: true, refused: [], unfinished: [], warnings: [] })
    const components = done.body['components'] as unknown as readonly { component: string; outcome: string }[]
    expect(components.filter(({ outcome }) => outcome === 'refused')).toEqual([])
  })
})
