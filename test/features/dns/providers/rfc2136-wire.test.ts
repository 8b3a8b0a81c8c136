/** Messages and signatures of dynamic update, octet for octet. */
import dnsPacket from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { checkChanges } from '../../../../src/features/dns/providers/checked-change.ts'
import {
  OPCODE,
  readMessage,
  writeMessage,
  writeQuestion,
} from '../../../../src/features/dns/providers/rfc2136/message.ts'
import {
  signRequest,
  type TsigKey,
  tsigOf,
  unsignedForm,
} from '../../../../src/features/dns/providers/rfc2136/tsig.ts'
import {
  isToBeChecked,
  packUpdates,
  type Update,
  updateSections,
} from '../../../../src/features/dns/providers/rfc2136/update.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { DnsTraits, RrsetChange } from '../../../../src/features/dns/providers/port.ts'
import { wish } from './zone-folder.ts'

const SECRET = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64')
const KEY: TsigKey = { name: 'demo-key', algorithm: 'hmac-sha256', secret: new Secret(SECRET) }
const NOW_S = 1_700_000_000
const ZONE = 'example.org'
const TRAITS = { batch_most: 10_000, ttl: { least: 0, most: 2_147_483_647, automatic: false } } as DnsTraits

const updates = (...changes: readonly RrsetChange[]): Update[] =>
  checkChanges(changes, { provider: 'rfc2136', zone: ZONE, traits: TRAITS, usual_ttl: 3600 }).map(
    (checked, at) => ({
      ...checked,
      is_new: changes[at]!.seen === null,
    }),
  )

// Key demo-key with the octets 0 to 31, id 1234 (hexadecimal), 1700000000 s: delete the set www A, then add 192.0.2.10.
// Servers accept it; the MAC over its first octets is a figure from elsewhere, so that neither can be wrong alone.
const VECTOR = [
  '1234 2800 0001 0000 0002 0001',
  '07 6578616d706c65 03 6f7267 00 0006 0001',
  '03 777777 07 6578616d706c65 03 6f7267 00 0001 00ff 00000000 0000',
  '03 777777 07 6578616d706c65 03 6f7267 00 0001 0001 0000012c 0004 c000020a',
  '08 64656d6f2d6b6579 00 00fa 00ff 00000000 003d',
  '0b 686d61632d736861323536 00 00006553f100 012c 0020',
  '352932862a091cdab9950d3bfc751f857bb7b887a4b47aa9312bb3b23fe1f38b',
  '1234 0000 0000',
]
  .join('')
  .replaceAll(' ', '')

describe('a signed update', () => {
  it('is the known one, octet for octet', () => {
    const [zone, , changes, additional] = updateSections(
      ZONE,
      updates(wish('www.example.org', 'A', ['192.0.2.10'])),
    )
    const bare = writeMessage({ id: 0x1234, opcode: OPCODE.UPDATE }, [zone, [], changes, additional])
    const { message, mac } = signRequest(bare, KEY, NOW_S)
    expect(mac.toString('hex')).toBe('352932862a091cdab9950d3bfc751f857bb7b887a4b47aa9312bb3b23fe1f38b')
    expect(message.toString('hex')).toBe(VECTOR)
    expect(message).toHaveLength(168)
  })

  it('is what dns-packet reads, but for deletions: it takes octets for their data that are not there', () => {
    const [zone, , [, addition]] = updateSections(ZONE, updates(wish('www.example.org', 'A', ['192.0.2.10'])))
    const bare = writeMessage({ id: 0x1234, opcode: OPCODE.UPDATE }, [zone, [], [addition!], []])
    const read = dnsPacket.decode(signRequest(bare, KEY, NOW_S).message)
    expect(read.questions).toEqual([{ name: ZONE, type: 'SOA', class: 'IN' }])
    expect(read.authorities).toMatchObject([
      { name: 'www.example.org', type: 'A', class: 'IN', ttl: 300, data: '192.0.2.10' },
    ])
    expect(read.additionals).toMatchObject([{ name: 'demo-key', type: 'TSIG' }])
  })

  it.each([
    ['hmac-sha256', 32],
    ['hmac-sha384', 48],
    ['hmac-sha512', 64],
  ] as const)('with %s is read back, and unsigned again it is what it was', (algorithm, octets) => {
    const bare = writeMessage({ id: 7, opcode: OPCODE.QUERY }, [[writeQuestion(ZONE, 6)], [], [], []])
    const signed = signRequest(bare, { ...KEY, algorithm }, NOW_S)
    const message = readMessage(signed.message)
    const tsig = tsigOf(message)!
    expect(tsig).toMatchObject({
      key_name: 'demo-key',
      algorithm,
      time_s: NOW_S,
      fudge_s: 300,
      original_id: 7,
      error: 0,
    })
    expect(tsig.mac).toHaveLength(octets)
    expect(unsignedForm(message, tsig)).toEqual(bare)
  })
})

describe('the sections of an update', () => {
  /** `prerequisites | updates`, as class, type and name. */
  const shape = (...changes: readonly RrsetChange[]): string => {
    const [zone, before, changing] = updateSections(ZONE, updates(...changes))
    const message = readMessage(writeMessage({ id: 0, opcode: OPCODE.UPDATE }, [zone, before, changing, []]))
    const say = (records: typeof message.answers) =>
      records.map(({ class: klass, type, name }) => `${klass} ${type} ${name.split('.')[0]}`).join(', ')
    return `${say(message.answers)} | ${say(message.authorities)}`
  }
  const seen = { name: '', type: '', ttl: 1, values: [], ids: [], comment: null, proxied: null }

  it.each([
    ['a set may not meet an alias', [wish('a.example.org', 'A', ['192.0.2.1'])], '254 5 a | 255 1 a, 1 1 a'],
    [
      'a new alias must find nothing',
      [wish('a.example.org', 'CNAME', ['b.test'])],
      '254 255 a | 255 5 a, 1 5 a',
    ],
    [
      'a standing alias is replaced',
      [wish('a.example.org', 'CNAME', ['b.test'], { seen })],
      ' | 255 5 a, 1 5 a',
    ],
    ['what goes asks nothing', [wish('a.example.org', 'A', null)], ' | 255 1 a'],
    [
      'deletions come first, so an alias gives way to an address',
      [wish('a.example.org', 'A', ['192.0.2.1']), wish('a.example.org', 'CNAME', null, { seen })],
      ' | 255 1 a, 255 5 a, 1 1 a',
    ],
  ])('%s', (_what, changes, expected) => {
    expect(shape(...changes)).toBe(expected)
  })

  it('leave in doubt only an alias that may meet something', () => {
    const doubtful = (...changes: readonly RrsetChange[]) => {
      const all = updates(...changes)
      return all.map((update) => isToBeChecked(update, all))
    }
    const alias = wish('a.example.org', 'CNAME', ['b.test'])
    expect(doubtful(alias)).toEqual([false])
    expect(doubtful({ ...alias, seen })).toEqual([true])
    expect(doubtful(alias, wish('a.example.org', 'A', null, { seen }))).toEqual([true, false])
    expect(doubtful({ ...alias, wanted: null, seen })).toEqual([false])
  })

  it('are divided by size, the sets of a name together, none lost and no message too long', () => {
    const text = 'x'.repeat(20_000)
    const names = Array.from({ length: 12 }, (_, at) => `n${at}.example.org`)
    const all = updates(
      ...names.map((name) => wish(name, 'TXT', [text])),
      ...names.map((name) => wish(name, 'A', ['192.0.2.1'])),
    )
    const packs = packUpdates(ZONE, all)
    expect(packs.length).toBe(4)
    expect(new Set(packs.flat())).toEqual(new Set(all))
    for (const pack of packs) {
      const bare = writeMessage({ id: 0, opcode: OPCODE.UPDATE }, updateSections(ZONE, pack))
      expect(signRequest(bare, { ...KEY, algorithm: 'hmac-sha512' }, NOW_S).message.length).toBeLessThan(
        65_536,
      )
      expect(new Set(pack.map(({ name }) => name)).size * 2).toBe(pack.length)
    }
    expect(() =>
      packUpdates(ZONE, updates(wish('a.example.org', 'TXT', ['y'.repeat(60_000), 'z'.repeat(9000)]))),
    ).toThrow(expect.objectContaining({ code: 'provider_refused' }))
  })
})
