/** What goes into the file of a device, and what never does. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FULL_TUNNEL, parseAllowedIps } from '../../../src/features/vpn/model/allowed-ips.ts'
import { readExport } from '../../../src/features/vpn/model/export.ts'
import { fileNameOf } from '../../../src/features/vpn/model/file-name.ts'
import { PRIVATE_KEY_PLACE, renderDevice } from '../../../src/features/vpn/model/render.ts'
import { byClock, chooseServer, isOnline, ownAddresses } from '../../../src/features/vpn/model/server.ts'
import { runs, SEED } from '../../kit/tier.ts'

const KEY = 'cCjoVSV4w9ISl2mErjPGN5FpgPbhSJ5iHkEOWwL6bhI='
const PEER = 'QLJUVSV4w9ISl2mErjPGN5FpgPbhSJ5iHkEOWwL6bhI='

describe('networks that go through the tunnel', () => {
  it.each<[string, readonly string[], number]>([
    ['0.0.0.0/0, ::/0', FULL_TUNNEL, 0],
    ['192.168.1.7/24', ['192.168.1.0/24'], 1],
    ['192.168.1.7', ['192.168.1.7/32'], 0],
    ['fd00::1 , fd00:0::1/128,FD00::1', ['fd00::1/128'], 0],
  ])('%s', (text, networks, warned) => {
    const parsed = parseAllowedIps(text)
    expect(parsed).toMatchObject({ ok: true, networks })
    expect(parsed.ok && parsed.warnings.length).toBe(warned)
  })

  it.each([
    '',
    ',',
    '10.0.0.0/33',
    '+10.0.0.0/8',
    '-10.0.0.0/8',
    'PostUp = rm -rf /',
    '10.0.0.0/8\nPostUp = id',
    '10.0.0.0/8\r\n',
    'home.example.com',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    Array.from({ length: 257 }, (_, at) => `10.0.${at >> 8}.${at & 255}`).join(','),
    '1'.repeat(5000),
  ])('%j is refused without being repeated', (text) => {
    const parsed = parseAllowedIps(text)
    // A line break at the end of an entry is a blank like any other.
    if (text.endsWith('\r\n')) return expect(parsed).toMatchObject({ ok: true, networks: ['10.0.0.0/8'] })
    expect(parsed).toMatchObject({ ok: false })
    if (!parsed.ok && text.length > 3) expect(parsed.fault).not.toContain(text.slice(0, 20))
  })
})

describe('the file of a device', () => {
  const file = (allowed_ips: readonly string[]) =>
    renderDevice({
      private_key: PRIVATE_KEY_PLACE,
      addresses: ['192.168.7.2/32', 'fd07::2/128'],
      dns: ['192.168.7.1'],
      mtu: 1420,
      server_public_key: KEY,
      preshared_key: null,
      allowed_ips,
      endpoint: 'vpn.example.com:51820',
    })

  it('reads so', () => {
    expect(file(FULL_TUNNEL)).toBe(`[Interface]
PrivateKey = REPLACE_WITH_PRIVATE_KEY
Address = 192.168.7.2/32, fd07::2/128
DNS = 192.168.7.1
MTU = 1420

[Peer]
PublicKey = ${KEY}
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = vpn.example.com:51820
PersistentKeepalive = 25
`)
  })

  it('has the same lines whatever somebody asks to send through the tunnel', () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom('10.0.0.0/8', '::/0', '\n', 'PostUp = id', '[Peer]', '#', '\r', '%i', ',', ' '),
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
        const parsed = parseAllowedIps(parts.join(','))
        if (!parsed.ok) return true
        const lines = file(parsed.networks).split('\n')
        return lines.length === 12 && lines.filter((line) => /^[A-Za-z]+ = /.test(line)).length === 8
      }),
      { numRuns: runs(20_000), seed: SEED },
    )
  })

  it.each([
    ['phone', 'uk-phone.conf'],
    ['Jürgens iPhone 15 Pro', 'uk-Ju-rgens-iPh.conf'],
    ['../../etc/passwd', 'uk-etc-passwd.conf'],
    ['', 'uk.conf'],
    ['💥', 'uk.conf'],
  ])('of %j is called %s', (name, expected) => {
    expect(fileNameOf('uk', name)).toBe(expected)
    expect(expected.replace(/\.conf$/, '')).toMatch(/^[a-zA-Z0-9_=+.-]{1,15}$/)
  })
})

const peer = (over: Readonly<Record<string, unknown>> = {}) => ({
  public_key: PEER,
  allowed_ips: ['192.168.7.2/32'],
  ...over,
})
const exported = (...interfaces: readonly unknown[]) =>
  JSON.stringify({ format: 'plumbline-wg/1', interfaces })
const server = (over: Readonly<Record<string, unknown>> = {}) => ({
  name: 'wgsrv1',
  public_key: KEY,
  listen_port: 51820,
  addresses: ['192.168.7.1/24'],
  peers: [peer()],
  ...over,
})

describe('the export of a gateway', () => {
  it('is read as our script writes it, and as others do', () => {
    const theirs = {
      server: { publicKey: KEY, listenPort: '51820', address: '192.168.7.1/24' },
      clients: [{ pubkey: PEER, ip: '192.168.7.2', name: 'phone' }],
    }
    for (const text of [exported(server()), JSON.stringify(theirs)])
      expect(readExport(text)).toMatchObject({
        ok: true,
        value: {
          interfaces: [
            {
              public_key: KEY,
              listen_port: 51820,
              addresses: ['192.168.7.1/24'],
              dropped_peers: 0,
              peers: [{ public_key: PEER, allowed_ips: ['192.168.7.2/32'], has_preshared_key: false }],
            },
          ],
        },
      })
  })

  it.each<[string, unknown]>([
    ['no key', peer({ public_key: 'x' })],
    ['a key of zeros and one', peer({ public_key: `${'A'.repeat(42)}B=` })],
    ['networks that are none', peer({ allowed_ips: ['10.0.0.0/8\nPostUp = id'] })],
    ['no object', 'peer'],
  ])('counts and leaves out a peer with %s', (_, wrong) => {
    expect(readExport(exported(server({ peers: [wrong, peer()] })))).toMatchObject({
      ok: true,
      value: { interfaces: [{ dropped_peers: 1, peers: [{ public_key: PEER }] }] },
    })
  })

  it('brings no control characters, and no place that is none', () => {
    const hostile = peer({
      name: '\u001b[31mphone\u202e\n',
      endpoint: 'evil; rm -rf /:1',
      latest_handshake: -1,
    })
    expect(readExport(exported(server({ peers: [hostile] })))).toMatchObject({
      ok: true,
      value: { interfaces: [{ peers: [{ name: '[31mphone', endpoint: null, latest_handshake: 0 }] }] },
    })
  })

  it.each([
    '',
    'Welcome to UniFi OS\n{"interfaces":[]}',
    '{"interfaces":[',
    '[]',
    'null',
    '{"peers":[]}',
    '"x"',
  ])('%j says nothing', (text) => {
    expect(readExport(text)).toMatchObject({ ok: false })
  })

  it.each([{}, { [PEER]: {} }, 'none', 3, false, null, undefined])(
    'whose peers are %j tells of none that are known',
    (peers) => {
      const text = JSON.stringify({ interfaces: [{ ...server(), peers }] })
      expect(readExport(text)).toEqual({ ok: false, fault: 'The peers of wgsrv1 are no list.' })
    },
  )

  it.each([
    { server: { publicKey: KEY, listenPort: 51820 } },
    { interface: { public_key: KEY, port: 51820 } },
  ])('%j has no list of peers, which is not an empty one', (theirs) => {
    expect(readExport(JSON.stringify(theirs))).toMatchObject({ ok: false })
  })

  it.each(['plumbline-wg/2', 'plumbline-wg/10', 'others/1', '', 1, {}])(
    'of the format %j is refused, and what would be read is named',
    (format) => {
      const read = readExport(JSON.stringify({ format, interfaces: [server()] }))
      expect(read).toMatchObject({ ok: false, fault: expect.stringContaining('plumbline-wg/1') })
      expect(!read.ok && read.fault).toContain('plumbline vpn gateway-script')
    },
  )

  it('has each key once: a second peer with it is counted and left out', () => {
    const twice = [peer(), peer({ name: 'other', allowed_ips: ['192.168.7.99/32'] })]
    expect(readExport(exported(server({ peers: twice })))).toMatchObject({
      ok: true,
      value: { interfaces: [{ dropped_peers: 1, peers: [{ allowed_ips: ['192.168.7.2/32'] }] }] },
    })
  })

  it('knows no handshake at a time that no calendar has', () => {
    const at = (latest_handshake: number) => {
      const read = readExport(exported(server({ peers: [peer({ latest_handshake })] })))
      return read.ok && read.value.interfaces[0]!.peers[0]!.latest_handshake
    }
    expect([at(1_700_000_000), at(253_402_300_799), at(253_402_300_800), at(9e15)]).toEqual([
      1_700_000_000, 253_402_300_799, 0, 0,
    ])
  })
})

describe('the server of a site', () => {
  const choose = (wanted: string | null, ...interfaces: readonly unknown[]) => {
    const read = readExport(exported(...interfaces))
    if (!read.ok) throw new Error(read.fault)
    const chosen = chooseServer(read.value, wanted, 'UCG_UK_INTERFACE')
    return chosen.ok ? chosen.server.name : chosen.fault
  }

  it('is the one that is set, the only server, or the only one that listens', () => {
    const tunnel = server({ name: 'wgsts1000' })
    expect(choose(null, server(), tunnel)).toBe('wgsrv1')
    expect(choose(null, server({ name: 'wg0' }), server({ name: 'wg1', listen_port: 0 }))).toBe('wg0')
    expect(choose('wgsrv2', server(), server({ name: 'wgsrv2' }))).toBe('wgsrv2')
    expect(choose(null, server(), server({ name: 'wgsrv2' }))).toContain('UCG_UK_INTERFACE')
    expect(choose('wgsrv3', server())).toContain('no interface wgsrv3')
    expect(choose(null)).toContain('no WireGuard interface')
  })

  it('sees who spoke within three minutes', () => {
    const read = readExport(exported(server({ peers: [peer({ latest_handshake: 1000 })] })))
    const [one] = read.ok ? read.value.interfaces[0]!.peers : []
    expect([isOnline(one!, 1180), isOnline(one!, 1181)]).toEqual([true, false])
    // A time to come is no sign of life.
    expect([isOnline(one!, 820), isOnline(one!, 819)]).toEqual([true, false])
    expect(ownAddresses({ allowed_ips: ['10.0.0.0/8', '192.168.7.2/32', 'fd07::2/128'] })).toEqual([
      '192.168.7.2/32',
      'fd07::2/128',
    ])
  })

  it.each<[number | null, number, readonly number[]]>([
    [null, 5000, [1000, 0]],
    [5003, 5000, [1000, 0]],
    [4100, 5000, [1900, 0]],
    [9000, 5000, [0, 0]],
    [5600, 5000, [400, 0]],
  ])('that takes it to be %s at %i spoke with its peers at %j', (generated_at, now_s, expected) => {
    const peers = [peer({ latest_handshake: 1000 }), peer({ public_key: KEY })]
    const read = readExport(JSON.stringify({ generated_at, interfaces: [server({ peers })] }))
    if (!read.ok) throw new Error(read.fault)
    const { peers: seen } = byClock(read.value.interfaces[0]!, read.value.generated_at, now_s)
    expect(seen.map(({ latest_handshake }) => latest_handshake)).toEqual(expected)
  })
})
