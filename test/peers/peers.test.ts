/** The servers that other tests lean on come up, speak, take what they should take, and are gone afterwards. */
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { BIND_PROGRAMS, startBind } from './bind.ts'
import { askDig, type DigRecord, digShort, digZone, transferDig, type TsigKey } from './dig.ts'
import { DNSMASQ_PROGRAMS, startDnsmasq } from './dnsmasq.ts'
import { KNOT_PROGRAMS, startKnot } from './knot.ts'
import { kept, type Peer, runTool, startPeer, until } from './peer.ts'
import { describePeers, describePeersInDepth } from './peers.ts'
import { POWERDNS_PROGRAMS, startPowerDns } from './powerdns.ts'
import { startUnbound, UNBOUND_PROGRAMS } from './unbound.ts'
import { askWire, transferWire } from './wire.ts'
import { newFolder } from '../kit/new-folder.ts'

const key: TsigKey = {
  name: 'demo-key',
  algorithm: 'hmac-sha256',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
}
const ZONE = 'home.example.org'

let running: Peer[] = []
afterEach(async () => {
  for (const peer of running.splice(0)) await peer.stop()
  running = []
})

function started<P extends Peer>(peer: P): P {
  running.push(peer)
  return peer
}

/** Updates the zone with `nsupdate`, and sees the result. */
async function updated(port: number): Promise<void> {
  const folder = newFolder('nsupdate')
  const file = join(folder, 'update')
  writeFileSync(
    file,
    [
      `server 127.0.0.1 ${port}`,
      `zone ${ZONE}.`,
      `key ${key.algorithm}:${key.name} ${key.secret}`,
      `update add app.${ZONE}. 300 A 192.0.2.10`,
      'send',
      '',
    ].join('\n'),
  )
  await runTool('nsupdate', ['-v', file])

  expect(await digShort(port, `app.${ZONE}`, 'A')).toEqual(['192.0.2.10'])
  const transferred = await digZone(port, ZONE, key)
  expect(transferred).toContainEqual({ name: `app.${ZONE}`, type: 'A', ttl: 300, value: '192.0.2.10' })
  await expect(digZone(port, ZONE, { ...key, name: 'other-key' })).rejects.toThrow()
}

describePeers([...POWERDNS_PROGRAMS, 'nsupdate'], 'PowerDNS for tests', () => {
  it('takes changes by its API and by signed updates', async () => {
    const server = started(await startPowerDns({ keys: [key] }))
    await server.addZone(ZONE)
    expect(await server.api('GET', `/zones/${ZONE}.?rrsets=false`)).toMatchObject({ name: `${ZONE}.` })
    await updated(server.dns_port)
  })
})

describePeersInDepth([...KNOT_PROGRAMS, 'nsupdate'], 'Knot for tests', () => {
  it('takes signed updates', async () => {
    const server = started(await startKnot({ keys: [key] }))
    await server.addZone(ZONE)
    await updated(server.dns_port)
  })

  it('takes changes by its tool, and says which it refuses', async () => {
    const server = started(await startKnot({ keys: [key] }))
    await server.addZone(ZONE)
    const refused = server.edit(ZONE, [
      ['set', 'app', '60', 'A', '192.0.2.1'],
      ['set', 'bad', '60', 'A', 'no address'],
    ])
    await expect(refused).rejects.toThrow(/error/)
    expect(await digShort(server.dns_port, `app.${ZONE}`, 'A')).toEqual([])
    await server.edit(ZONE, [['set', 'text', '60', 'TXT', '"two words" "it has a \\"quote\\""']])
    expect(await digShort(server.dns_port, `text.${ZONE}`, 'TXT')).toEqual([
      String.raw`"two words" "it has a \"quote\""`,
    ])
    await expect(server.edit(ZONE, [['unset', 'none', 'A']])).rejects.toThrow(/error/)
  })
})

describePeersInDepth([...BIND_PROGRAMS, 'nsupdate'], 'BIND for tests', () => {
  it('takes signed updates', async () => {
    const server = started(await startBind({ keys: [key] }))
    await server.addZone(ZONE)
    await updated(server.dns_port)
  })
})

/** Of every kind that is told without `dig`, in forms that have more than one spelling. */
const MANY_KINDS = [
  ['A', 'app', '192.0.2.9', '192.0.2.10'],
  ['AAAA', 'app', '2001:db8:0:0:0:0:0:1', '2001:db8::1:0:0:1', '2001:db8:0:1:1:1:1:1'],
  ['AAAA', 'low', '::1', '::', '64:ff9b::c000:201'],
  ['CNAME', 'alias', `App.${ZONE}.`],
  ['CNAME', 'root', '.'],
  ['CNAME', '_acme-challenge.app', `*.wild.${ZONE}.`],
  ['MX', 'app', `10 mail.${ZONE}.`, '0 .'],
  ['NS', 'below', 'ns2.servers.test.'],
  ['TXT', 'plain', '"v=spf1 -all"', '"one" "two; three"', '""'],
  ['TXT', 'escaped', String.raw`"a \"word\" \\ \200"`],
  ['SRV', '_sip._tcp', `1 2 5060 app.${ZONE}.`],
  ['CAA', 'app', '0 issue "ca.example.net"'],
] as const

describePeersInDepth([...POWERDNS_PROGRAMS, ...BIND_PROGRAMS, 'nsupdate'], 'what is told without dig', () => {
  it('is what dig prints, or nothing', async () => {
    const server = started(await startPowerDns({ keys: [key] }))
    await server.addZone(ZONE)
    for (const [type, label, ...values] of MANY_KINDS)
      await server.api('PATCH', `/zones/${ZONE}.`, {
        rrsets: [
          {
            name: `${label}.${ZONE}.`,
            type,
            ttl: 300,
            changetype: 'REPLACE',
            records: values.map((content) => ({ content, disabled: false })),
          },
        ],
      })
    const left: string[] = []
    const asked = [
      ...MANY_KINDS,
      ['SOA', '', ''],
      ['NS', '', ''],
      ['A', 'alias', ''],
      ['A', 'none', ''],
    ] as const
    for (const [type, label] of asked) {
      const name = label === '' ? ZONE : `${label}.${ZONE}`
      const told = await askWire(server.dns_port, name, type)
      const printed = await askDig(server.dns_port, name, type)
      if (told === null) left.push(`${type} ${label}`)
      else
        expect({ ...told, answers: sorted(told.answers) }, name).toEqual({
          ...printed,
          answers: sorted(printed.answers),
        })
    }
    expect(left).toEqual(['TXT escaped', 'SRV _sip._tcp', 'CAA app'])
    expect(await askWire(server.dns_port, 'stranger.test', 'A')).toMatchObject({
      status: 'REFUSED',
      answers: [],
    })
  })

  it('is the same of a whole zone, which a wrong key gets from neither', async () => {
    const server = started(await startBind({ keys: [key] }))
    await server.addZone(ZONE)
    await updated(server.dns_port)
    const told = await transferWire(server.dns_port, ZONE, key)
    expect(told?.slice(0, -1)).toEqual(await transferDig(server.dns_port, ZONE, key))
    const other = { ...key, secret: key.secret.replace('A', 'B') }
    expect(await transferWire(server.dns_port, ZONE, other)).toEqual([])
    await expect(transferDig(server.dns_port, ZONE, other)).rejects.toThrow()
  })
})

const sorted = (records: readonly DigRecord[]): readonly DigRecord[] =>
  records.toSorted((a, b) => (a.value < b.value ? -1 : 1))

describePeers(DNSMASQ_PROGRAMS, 'dnsmasq for tests', () => {
  it('answers from its settings, and from its hosts file after a reload', async () => {
    const config = { 'names.conf': 'address=/app.home.test/192.0.2.7\n' }
    const server = started(await startDnsmasq({ config, hosts: '192.0.2.8 nas.home.test\n' }))
    expect(await digShort(server.dns_port, 'app.home.test', 'A')).toEqual(['192.0.2.7'])
    expect(await digShort(server.dns_port, 'nas.home.test', 'A')).toEqual(['192.0.2.8'])
    writeFileSync(server.hosts_file, '192.0.2.9 nas.home.test\n')
    server.reload()
    await until('the new address', async () =>
      (await digShort(server.dns_port, 'nas.home.test', 'A')).includes('192.0.2.9'),
    )
  })
})

describePeers(UNBOUND_PROGRAMS, 'Unbound for tests', () => {
  it('answers from its settings, also after a reload', async () => {
    const zone = (address: string) =>
      `server:\n  local-zone: "home.test." static\n  local-data: "app.home.test. IN A ${address}"\n`
    const server = started(await startUnbound({ config: { 'names.conf': zone('192.0.2.7') } }))
    expect(await digShort(server.dns_port, 'app.home.test', 'A')).toEqual(['192.0.2.7'])
    writeFileSync(join(server.config_directory, 'names.conf'), zone('192.0.2.9'))
    await server.reload()
    await until('the new address', async () =>
      (await digShort(server.dns_port, 'app.home.test', 'A')).includes('192.0.2.9'),
    )
  })
})

describePeers([], 'any server', () => {
  it('is gone after its stop, and its folder with it', async () => {
    const plan = { program: 'sleep', args: ['60'], ready: async () => true }
    const { peer } = await startPeer({ name: 'sleeper', ports: 1, prepare: async () => plan })
    expect(existsSync(peer.directory)).toBe(true)
    await peer.stop()
    expect(existsSync(peer.directory)).toBe(false)
    expect(() => process.kill(peer.pid, 0)).toThrow('ESRCH')
  })

  it('is stopped once, however often it is asked, and its last words can still be read', async () => {
    const plan = { program: 'sh', args: ['-c', 'echo started; exec sleep 60'] }
    const ready = async () => true
    const { peer } = await startPeer({ name: 'sleeper', ports: 1, prepare: async () => ({ ...plan, ready }) })
    await until('its first words', async () => peer.log().includes('started'))
    const keeping = kept.on
    kept.on = true
    try {
      await Promise.all([peer.stop(), peer.stop()])
      await peer.stop()
    } finally {
      kept.on = keeping
      rmSync(join(realpathSync(tmpdir()), 'plumbline-peer-logs', `sleeper-${peer.pid}.log`))
    }
    expect(peer.log()).toBe('started\n')
  })

  it('that ends at once is told with the end of its log', async () => {
    const plan = { program: 'ls', args: ['/nowhere-at-all'], ready: async () => false }
    const starting = startPeer({ name: 'ender', ports: 1, prepare: async () => plan })
    await expect(starting).rejects.toThrow(/ender did not start.*nowhere-at-all/s)
  })
})
