/** What is told as undone is what a pass wrote over, of all names of a zone, and it is told whatever became of the others. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ExplainedDomain } from '../../src/features/explain/explained.ts'
import { describePeers } from '../peers/peers.ts'
import { type Client, clientOf } from './client.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { lyingPowerDns } from './lying-powerdns.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const PUBLIC = '203.0.113.10'
const STRANGER = '198.51.100.66'
const software = DNS_SOFTWARE[0]!
const PATIENCE = { timeout: 30_000, interval: 200 }

describePeers(software.programs, 'an edit of one name of a zone that is undone', () => {
  let world: DnsWorld
  let way: Liar
  let at: TestHouse
  let call: Client
  beforeAll(async () => {
    world = await software.start(['held.test', 'beside.test'])
    way = await lyingPowerDns(world.tcp_port)
    at = await openTestHouse({ env: { ...world.through(way.port), PLUMBLINE_PUBLIC_IP: PUBLIC } })
    call = clientOf(at.house)
  })
  beforeEach(() => way.fail!([]))
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await way.close().catch(() => undefined)
    await world.stop()
  })

  interface Entry {
    readonly domain: string
    readonly detail: { readonly count: number; readonly items: readonly { readonly item: string }[] }
  }
  /** Domain, count and items of each entry. */
  const told = async (zone: string) => {
    const { body } = await call('GET', '/api/audit?action=undo_edit&limit=100')
    return (body as unknown as readonly Entry[]).flatMap(({ domain, detail: { count, items } }) =>
      domain.endsWith(zone) ? [[domain, count, items.map(({ item }) => item)]] : [],
    )
  }
  const undoneOf = async (id: number) => {
    const { body } = await call('GET', `/api/domains/${id}/explain`)
    const { undone } = body as unknown as ExplainedDomain
    return undone === null ? null : undone.items.map(({ item }) => item)
  }
  /** Past the mark, which stays. */
  const editAndHeal = async (name: string, id: number) => {
    await world.slipIn!(name, STRANGER)
    // A look of somebody finds it; one that a busy machine cuts short finds nothing.
    const looked = async () => {
      await undoneOf(id)
      return world.dig(name, 'A')
    }
    await expect.poll(looked, PATIENCE).toEqual([PUBLIC])
    await expect.poll(() => undoneOf(id), PATIENCE).not.toBeNull()
  }

  it('is told without what a stranger holds beside it and keeps', async () => {
    const zone = 'held.test'
    const held = await createActive(call, { domain: `held.${zone}` })
    const edited = await createActive(call, { domain: `edited.${zone}` })
    await world.admin!.api('PATCH', `/zones/${zone}.`, {
      rrsets: [
        {
          name: `held.${zone}.`,
          type: 'A',
          ttl: 60,
          changetype: 'REPLACE',
          records: [{ content: STRANGER, disabled: false }],
          comments: [],
        },
      ],
    })
    await undoneOf(held)
    await editAndHeal(`edited.${zone}`, edited)
    expect(await undoneOf(edited)).toEqual([`A edited.${zone}`])
    expect(await undoneOf(held)).toBeNull()
    expect(await told(zone)).toEqual([[`edited.${zone}`, 1, [`A edited.${zone}`]]])
    expect(await world.dig(`held.${zone}`, 'A')).toEqual([STRANGER])
  })

  itInDepth(
    'is told though another name fails in the same pass, and that one is not, once it stands',
    async () => {
      const zone = 'beside.test'
      const edited = await createActive(call, { domain: `edited.${zone}` })
      const failing = await create(call, { domain: `failing.${zone}` })
      way.fail!([`failing.${zone}`])
      expect((await call('POST', `/api/domains/${failing}/activate`)).status).toBe(503)
      // Deployed while the other waits, and so of a release that was never in the world as a whole.
      const late = await createActive(call, { domain: `late.${zone}` })
      await editAndHeal(`edited.${zone}`, edited)
      await editAndHeal(`late.${zone}`, late)
      expect(await undoneOf(edited)).toEqual([`A edited.${zone}`])
      expect(await undoneOf(late)).toEqual([`A late.${zone}`])
      way.fail!([])
      await expect.poll(() => world.dig(`failing.${zone}`, 'A'), PATIENCE).toEqual([PUBLIC])
      await call('POST', `/api/domains/${failing}/deploy`)
      expect(await undoneOf(failing)).toBeNull()
      expect(await told(zone)).toEqual([
        [`late.${zone}`, 1, [`A late.${zone}`]],
        [`edited.${zone}`, 1, [`A edited.${zone}`]],
      ])
    },
  )
})
