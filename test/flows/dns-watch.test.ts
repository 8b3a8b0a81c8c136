/** Watching DNS from outside: what authoritative servers show, and whether the network's resolvers know the routes. */
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inDepth } from '../kit/tier.ts'
import { describePeersInDepth } from '../peers/peers.ts'
import { clientOf } from './client.ts'
import { DNS_SOFTWARE } from './dns-world.ts'
import { faultWay } from './fault-way.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const [POWERDNS] = DNS_SOFTWARE

describePeersInDepth(POWERDNS!.programs, 'integrity', () => {
  it('says that every name has arrived, and that one has not when the servers show something else', async () => {
    const world = await POWERDNS!.start(['watched.test', 'other.test'])
    try {
      await using at = await openTestHouse({ env: { ...world.env, PLUMBLINE_PUBLIC_IP: '203.0.113.10' } })
      // A repair of one zone proves nothing about the other.
      const call = clientOf(at.house)
      const integrity = async () => (await call('GET', '/api/dns/integrity')).body
      await createActive(call, { domain: 'app.watched.test' })
      await expect.poll(async () => (await integrity())['counts']).toMatchObject({ synced: 1 })
      expect(await integrity()).toMatchObject({
        ok: true,
        reason: null,
        names: [
          {
            zone: 'watched.test',
            name: 'app.watched.test',
            type: 'A',
            provider: ['203.0.113.10'],
            state: 'synced',
            authoritative: [{ values: ['203.0.113.10'], agrees: true }],
            resolvers: [{ values: ['203.0.113.10'], agrees: true, note: null }],
          },
        ],
      })
      // A stranger's change is seen in the world before it is repaired; a new name makes everything be looked at.
      await call('PUT', '/api/modes/dns', { body: { mode: 'observe' } })
      await world.put('watched.test', {
        name: 'app.watched.test',
        type: 'A',
        ttl: 300,
        values: ['192.0.2.66'],
      })
      await createActive(call, { domain: 'second.other.test' })
      await expect
        .poll(async () => (await integrity())['counts'])
        .toMatchObject({ propagating: 1, synced: 1 })
      expect(await integrity()).toMatchObject({ ok: null, reason: '1 on the way.' })
    } finally {
      await world.stop()
    }
  })
})

describe('the resolvers of the network', () => {
  it('nothing is set: not configured, and that cannot be told', async () => {
    await using at = await openTestHouse()
    expect((await at.call('GET', '/api/dns/status')).body).toMatchObject({ configured: false, ok: null })
    expect((await at.call('GET', '/api/dns/integrity')).body).toMatchObject({ ok: null, checked_at: null })
  })

  itInDepth(
    'compares the hosts of the routes file on disk with the effective answers of all files',
    async () => {
      await using at = await openTestHouse()
      const dnsmasq = join(at.directory, 'lan.conf')
      const hosts = join(at.directory, 'hosts')
      writeFileSync(
        dnsmasq,
        'address=/right.example.com/192.168.1.2\naddress=/stale.example.com/192.168.1.2\n',
      )
      writeFileSync(hosts, '192.168.1.99 wrong.example.com\n')
      await using watching = await openTestHouse({
        env: {
          PLUMBLINE_RESOLVER_CONFIG: `dnsmasq:${dnsmasq},hosts:${hosts}`,
          PLUMBLINE_RESOLVER_ADDRESS: '192.168.1.2',
        },
      })
      const { call } = watching
      for (const domain of [
        'right.example.com',
        'wrong.example.com',
        'missing.example.com',
        '*.right.example.com',
      ])
        await createActive(call, { domain })
      const { body } = await call('GET', '/api/dns/status')
      expect(body).toMatchObject({
        configured: true,
        ok: false,
        counts: { ok: 2, wrong: 1, missing: 1, unknown: 0 },
      })
      expect(body['extra']).toEqual([
        expect.objectContaining({ name: 'stale.example.com', value: '192.168.1.2' }),
      ])
      const states = (body['hosts'] as unknown as readonly { host: string; status: string }[]).map(
        ({ host, status }) => [host, status],
      )
      expect(states).toEqual([
        ['*.right.example.com', 'ok'],
        ['missing.example.com', 'missing'],
        ['right.example.com', 'ok'],
        ['wrong.example.com', 'wrong'],
      ])
    },
  )

  it('a source that cannot be read leaves the verdict open, and says which', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_RESOLVER_CONFIG: 'hosts:/nowhere/hosts' } })
    const { body } = await at.call('GET', '/api/dns/status')
    expect(body).toMatchObject({
      configured: true,
      ok: null,
      reason: expect.stringContaining('/nowhere/hosts') as unknown,
    })
  })

  inDepth(() => {
    it('one that never answers holds nobody up twice, and is read again once it answers', async () => {
      const page = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
      const resolver = createServer((client) =>
        client
          .on('error', () => undefined)
          .resume()
          .end(page),
      )
      await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve))
      const way = await faultWay((resolver.address() as AddressInfo).port)
      try {
        await way.be('hanging')
        await using at = await openTestHouse({
          opened: false,
          env: { PLUMBLINE_RESOLVER_CONFIG: `adguard:${way.origin}` },
        })
        const reason = async () => String((await at.call('GET', '/api/dns/status')).body['reason'])
        expect(await reason()).not.toContain('next attempt at')
        expect(await reason()).toContain('It is unreachable; next attempt at')
        await way.be('open')
        await expect.poll(reason, { interval: 200 }).toContain('404')
      } finally {
        await way.close()
        await new Promise((resolve) => resolver.close(resolve))
      }
    })
  })
})
