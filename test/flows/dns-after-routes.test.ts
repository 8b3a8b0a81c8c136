/** Routes that cannot be written: the old name keeps its address for as long as the old route stands, and loses it with it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DaemonOptions } from '../../src/foundation.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { byTier } from '../kit/tier.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

const ZONE = 'after.test'
const PUBLIC = '203.0.113.10'
const READ_ONLY = new Failure('storage_unwritable', 'routes.yml could not be written (EROFS).')
const software = DNS_SOFTWARE[0]!

type Way = 'rename' | 'disable' | 'delete'

describePeers(software.programs, 'routes that cannot be written', () => {
  let world: DnsWorld
  let at: TestHouse
  let trouble: Failure | null = null
  const wrap: DaemonOptions['wrap'] = {
    file: (file) => ({
      path: file.path,
      glance: () => file.glance(),
      look: (signal) => file.look(signal),
      replace: (...given) => (trouble === null ? file.replace(...given) : Promise.reject(trouble)),
      placeFault: () => file.placeFault(),
      restoreMode: (signal) => file.restoreMode(signal),
      watch: (hint) => file.watch(hint),
    }),
  }
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await openTestHouse({ wrap, env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC } })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const reconciled = async (body: object) => {
    const { id } = (await at.call('POST', '/api/reconcile', { body })).body as unknown as { id: string }
    const ended = async () => (await at.call('GET', `/api/operations/${id}`)).body['ended_at']
    await expect.poll(ended, { timeout: 30_000 }).not.toBeNull()
  }
  const renamed = async (id: number) => {
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: `rename-new.${ZONE}` } })
    return at.call('POST', `/api/domains/${id}/deploy`)
  }
  const WAYS = {
    rename: renamed,
    disable: (id: number) => at.call('POST', `/api/domains/${id}/disable`),
    delete: (id: number) => at.call('DELETE', `/api/domains/${id}`),
  }

  it.each(byTier<readonly Way[]>(['rename'], ['rename', 'disable', 'delete']))(
    '%s leaves the old name where it was',
    async (way) => {
      const name = `${way}.${ZONE}`
      const id = await createActive(at.call, { domain: name })
      trouble = READ_ONLY
      try {
        const { status } = await WAYS[way](id)
        expect(status).toBe(503)
        expect(at.routes()).toContain(name)
        expect(await world.dig(name, 'A')).toEqual([PUBLIC])
        // Nor does its own tick take it away, nor a look that somebody asks for.
        await reconciled({ component: 'dns' })
        expect(await world.dig(name, 'A')).toEqual([PUBLIC])
      } finally {
        trouble = null
      }
      await reconciled({})
      expect(at.routes()).not.toContain(`${name}\``)
      // A write that a busy machine cut short is made again.
      await expect.poll(() => world.dig(name, 'A')).toEqual([])
      if (way === 'rename') expect(await world.dig(`rename-new.${ZONE}`, 'A')).toEqual([PUBLIC])
    },
  )
})
