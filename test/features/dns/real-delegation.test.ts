/** The way from a zone to its servers and their answers through real ones: Unbound finds the parent, Knot serves both zones. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLookup } from '../../../src/features/dns/lookup/create-lookup.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import type { ManagedSet } from '../../../src/features/dns/records/managed-set.ts'
import { PropagationCheck } from '../../../src/features/dns/integrity/propagation.ts'
import { KNOT_PROGRAMS, type Knot, startKnot } from '../../peers/knot.ts'
import { describePeers } from '../../peers/peers.ts'
import { startUnbound, type Unbound, UNBOUND_PROGRAMS } from '../../peers/unbound.ts'

const KEY = { name: 'any', algorithm: 'hmac-sha256', secret: Buffer.alloc(32).toString('base64') } as const

const PARENT = 'corp.example'
const ZONE = `sub.${PARENT}`

describePeers([...KNOT_PROGRAMS, ...UNBOUND_PROGRAMS], 'the propagation of a delegated zone', () => {
  let knot: Knot
  let unbound: Unbound
  beforeAll(async () => {
    knot = await startKnot({ keys: [KEY] })
    await knot.addZone(PARENT)
    await knot.addZone(ZONE)
    await change(PARENT, ['ns1', '60', 'A', '127.0.0.1'])
    await replaceNs(PARENT, '@', `ns1.${PARENT}.`)
    await change(PARENT, ['sub', '60', 'NS', `ns1.${PARENT}.`])
    await replaceNs(ZONE, '@', `ns1.${PARENT}.`)
    await change(
      ZONE,
      ['app', '60', 'A', '192.0.2.1'],
      ['*.wild', '60', 'A', '192.0.2.1'],
      ['alias', '60', 'CNAME', `target.${PARENT}.`],
      ['loop', '60', 'CNAME', 'pool'],
      ['pool', '60', 'CNAME', 'loop'],
    )
    await change(PARENT, ['target', '60', 'A', '192.0.2.1'])
    const stub = `stub-zone:\n  name: "${PARENT}"\n  stub-addr: 127.0.0.1@${knot.dns_port}\n`
    const transparent = `server:\n  local-zone: "${PARENT}." always_transparent\n`
    unbound = await startUnbound({ config: { 'stub.conf': `${transparent}${stub}` } })
  })
  afterAll(async () => {
    await unbound.stop()
    await knot.stop()
  })

  async function change(zone: string, ...records: readonly (readonly string[])[]): Promise<void> {
    await knot.edit(
      zone,
      records.map((record) => ['set', ...record] as const),
    )
  }

  async function replaceNs(zone: string, owner: string, host: string): Promise<void> {
    await knot.edit(zone, [
      ['unset', owner, 'NS'],
      ['set', owner, '60', 'NS', host],
    ])
  }

  const check = (name: string, values: readonly string[] = ['192.0.2.1']) => {
    const set: ManagedSet = {
      zone: ZONE,
      name: `${name}.${ZONE}`,
      type: 'A',
      values,
      proxied: null,
      domain_id: 1,
    }
    return new PropagationCheck({
      lookup: createLookup({ try_ms: 1000 }),
      clock: systemClock,
      authoritative: [],
      authoritative_port: knot.dns_port,
      resolvers: async () => [{ address: '127.0.0.1', port: unbound.dns_port }],
    }).check(set, null, AbortSignal.timeout(60_000))
  }

  it('is judged at the name server that the parent names, and shown at the resolver beside', async () => {
    expect(await check('app')).toMatchObject({
      state: 'synced',
      detail: null,
      servers: [{ host: `ns1.${PARENT}`, server: { address: '127.0.0.1' } }],
      resolvers: [{ values: ['192.0.2.1'], agrees: true, note: null }],
    })
  })

  it('begins with a change, and ends when the server shows it', async () => {
    await change(ZONE, ['fresh', '60', 'A', '192.0.2.1'])
    const both = ['192.0.2.1', '192.0.2.2']
    expect(await check('fresh', both)).toMatchObject({ state: 'propagating', resolvers: [] })
    await change(ZONE, ['fresh', '60', 'A', '192.0.2.2'])
    expect(await check('fresh', both)).toMatchObject({ state: 'synced', resolvers: [{ values: both }] })
  })

  it.each<[string, object]>([
    ['x.wild', { state: 'synced', servers: [{ observation: { values: ['192.0.2.1'], via: [] } }] }],
    [
      'alias',
      { state: 'synced', servers: [{ observation: { values: ['192.0.2.1'], via: [`target.${PARENT}`] } }] },
    ],
    ['nothing', { state: 'propagating', detail: null, servers: [{ observation: { values: [] } }] }],
    ['loop', { state: 'propagating', detail: expect.stringContaining('circle') as unknown }],
  ])('%s is seen as it is', async (name, expected) => {
    expect(await check(name)).toMatchObject(expected)
  })
})
