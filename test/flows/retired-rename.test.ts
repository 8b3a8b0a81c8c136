/** A rename that is saved and not deployed: whoever takes the domain back takes back what was deployed, and nothing of the other name. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { APP, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

const ZONE = 'retired.test'
const PUBLIC = '203.0.113.10'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a saved rename', () => {
  let world: DnsWorld
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await openTestHouse({ env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const drifting = async () =>
    (await at.call('GET', '/api/drift')).body['components'] as unknown as readonly {
      readonly key: string
      readonly drift: unknown
    }[]
  const renamed = async (name: string) => {
    const id = await createActive(at.call, { domain: `${name}.${ZONE}` })
    const saved = await at.call('PUT', `/api/domains/${id}`, { body: { domain: `${name}-new.${ZONE}` } })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    return { id, before: `${name}.${ZONE}`, after: `${name}-new.${ZONE}` }
  }

  const newestRelease = async () =>
    (
      (await at.call('GET', '/api/releases?limit=1')).body as unknown as readonly [
        { readonly number: number },
      ]
    )[0].number
  interface Renamed {
    readonly id: number
    readonly after: string
    /** The newest before it came. */
    readonly release: number
  }

  /** Ways to take a domain off line; each ends with an answer of 200. */
  const OFF_LINE = {
    'a restore of a release without it': ({ id, release }: Renamed) =>
      at.call('POST', `/api/releases/${release}/restore`, { body: { domains: [id] } }),
    'an estate that says so': ({ after }: Renamed) =>
      at.call('POST', '/api/estate', { body: { domains: [{ ...APP, domain: after, status: 'inactive' }] } }),
    'a deactivation': ({ id }: Renamed) => at.call('POST', `/api/domains/${id}/deactivate`),
  }

  itOneIn(3).each(Object.keys(OFF_LINE) as (keyof typeof OFF_LINE)[])(
    'stays saved when the domain goes off line, whose DNS records are kept: %s',
    async (way) => {
      await createActive(at.call, { domain: `other${Object.keys(OFF_LINE).indexOf(way)}.${ZONE}` })
      const release = await newestRelease()
      const { id, before, after } = await renamed(`kept${Object.keys(OFF_LINE).indexOf(way)}`)
      const { status, body } = await OFF_LINE[way]({ id, after, release })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(await world.dig(before, 'A')).toEqual([PUBLIC])
      expect(await world.dig(after, 'A')).toEqual([])
      expect(at.routes()).not.toContain(before)
      expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
        domain: after,
        status: 'inactive',
      })
      expect((await drifting()).filter(({ drift }) => drift !== false)).toEqual([])
      // Activation is what releases it.
      await at.call('POST', `/api/domains/${id}/activate`)
      expect(await world.dig(after, 'A')).toEqual([PUBLIC])
      expect(await world.dig(before, 'A')).toEqual([])
    },
  )

  itInDepth(
    'an edit that an estate makes along with the status is saved, and takes no DNS record with it',
    async () => {
      const domain = `edited.${ZONE}`
      const id = await createActive(at.call, { domain })
      const entry = { ...APP, domain, service_type: 'internal', status: 'inactive' }
      expect((await at.call('POST', '/api/estate', { body: { domains: [entry] } })).status).toBe(200)
      expect(await world.dig(domain, 'A')).toEqual([PUBLIC])
      expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
        service_type: 'internal',
        status: 'inactive',
      })
      // Activation is what brings it out.
      await at.call('POST', `/api/domains/${id}/activate`)
      expect(await world.dig(domain, 'A')).toEqual([])
    },
  )

  it.each(['disable', 'delete'] as const)(
    'goes with the domain, whose records are taken away: %s',
    async (verb) => {
      const { id, before, after } = await renamed(verb)
      const { status, body } =
        verb === 'delete'
          ? await at.call('DELETE', `/api/domains/${id}`)
          : await at.call('POST', `/api/domains/${id}/disable`)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body['message']).toContain(before)
      expect(await world.dig(before, 'A')).toEqual([])
      expect(await world.dig(after, 'A')).toEqual([])
      expect((await drifting()).filter(({ drift }) => drift !== false)).toEqual([])
    },
  )

  it('is told by the plan of a deactivation as what it is: nothing of the other name', async () => {
    const { id, before, after } = await renamed('planned')
    const { body } = await at.call('POST', `/api/domains/${id}/deactivate?dry_run=true`)
    const { rows, actions } = body['plan'] as unknown as {
      readonly rows: readonly { readonly domain: string }[]
      readonly actions: readonly unknown[]
    }
    expect(rows.map(({ domain }) => domain)).toEqual([before])
    expect(JSON.stringify(actions)).not.toContain(after)
  })

  it('is asked for once more by a disable that follows a deactivation', async () => {
    const { id, before, after } = await renamed('twice')
    await at.call('POST', `/api/domains/${id}/deactivate`)
    await at.call('POST', `/api/domains/${id}/disable`)
    expect(await world.dig(before, 'A')).toEqual([])
    expect(await world.dig(after, 'A')).toEqual([])
  })
})
