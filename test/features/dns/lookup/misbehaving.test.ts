/** Servers that lie, garble, cut and keep silent: every one of them is an answer, and no forged reply counts. */
import dnsPacket from 'dns-packet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLookup, readReply } from '../../../../src/features/dns/lookup/create-lookup.ts'
import type { DnsQuery } from '../../../../src/features/dns/lookup/port.ts'
import { replyTo, type ScriptedServer, scriptedServer, type Told } from './scripted-server.ts'
import { runs } from '../../../kit/tier.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'

const lookup = createLookup({ try_ms: 500 })
const NAME = 'app.example.org'
const record = (data: string, name = NAME): dnsPacket.Answer => ({ type: 'A', name, ttl: 60, data })

let server: ScriptedServer
beforeAll(async () => void (server = await scriptedServer()))
afterAll(() => server.close())

const ask = (more: Partial<DnsQuery> = {}) => {
  const signal = new AbortController().signal
  return lookup.ask({ server: server.server, name: NAME, type: 'A', recursion: false, signal, ...more })
}

function scripted(deed: (told: Told) => void): void {
  server.script(deed)
  server.asked.udp = server.asked.tcp = 0
}

const seen = (value: string) => ({ ok: true, answers: [{ name: NAME, type: 'A', ttl: 60, value }] })

describe('a question', () => {
  it('has a new number and new letters each time, asks for no recursion, and offers 1232 octets', async () => {
    const asked: Told[] = []
    scripted((told) => {
      asked.push(told)
      told.send(replyTo(told, [record('192.0.2.1')]))
    })
    for (let i = 0; i < 8; i++) expect(await ask()).toMatchObject(seen('192.0.2.1'))
    expect(new Set(asked.map(({ packet }) => packet.id)).size).toBeGreaterThan(6)
    expect(new Set(asked.map(({ packet }) => packet.questions?.[0]?.name)).size).toBeGreaterThan(6)
    for (const { packet } of asked) {
      expect(packet.flag_rd).toBe(false)
      expect(packet.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }])
    }
    expect(server.asked).toEqual({ udp: 8, tcp: 0 })
  })

  it('asks a resolver to look further', async () => {
    scripted((told) => told.send(replyTo(told, [record(told.packet.flag_rd ? '192.0.2.1' : '192.0.2.2')])))
    expect(await ask({ recursion: true })).toMatchObject(seen('192.0.2.1'))
  })

  it('that cannot be written is not sent', async () => {
    scripted((told) => told.send(replyTo(told)))
    for (const name of [`${'x'.repeat(64)}.example.org`, 'a..b', 'x.'.repeat(130)])
      expect(await ask({ name })).toMatchObject({ ok: false, reason: 'malformed' })
    expect(server.asked.udp).toBe(0)
  })
})

type Forgery = readonly [what: string, forge: (told: Told) => Buffer]

const bytesOf = (told: Told, change: (reply: Buffer) => void): Buffer => {
  const reply = replyTo(told, [record('203.0.113.66')])
  change(reply)
  return reply
}

const FORGERIES: readonly Forgery[] = [
  [
    'another number',
    (told) => bytesOf(told, (reply) => reply.writeUInt16BE((told.packet.id! + 1) & 0xffff, 0)),
  ],
  ['no reply but a question', (told) => bytesOf(told, (reply) => reply.writeUInt16BE(0, 2))],
  ['another opcode', (told) => bytesOf(told, (reply) => reply.writeUInt16BE(0x8000 | (4 << 11), 2))],
  [
    'another name',
    (told) =>
      replyTo({ packet: { ...told.packet, questions: [{ type: 'A', name: 'x.example.org' }] } }, [
        record('203.0.113.66'),
      ]),
  ],
  [
    'another type',
    (told) =>
      replyTo(
        { packet: { ...told.packet, questions: [{ type: 'AAAA', name: told.packet.questions![0]!.name }] } },
        [record('203.0.113.66')],
      ),
  ],
  ['no question', (told) => replyTo({ packet: { ...told.packet, questions: [] } }, [record('203.0.113.66')])],
  ['half a header', (told) => replyTo(told).subarray(0, 7)],
  ['nothing at all', () => Buffer.alloc(0)],
]

describe('a forged reply', () => {
  it.each(FORGERIES)('with %s is passed over, and the true one behind it counts', async (_what, forge) => {
    scripted((told) => {
      told.send(forge(told))
      told.send(replyTo(told, [record('192.0.2.1')]))
    })
    expect(await ask()).toMatchObject(seen('192.0.2.1'))
  })

  itOneIn(8).each(FORGERIES)('with %s is a failure when nothing else comes', async (_what, forge) => {
    scripted((told) => told.send(forge(told)))
    const reply = await ask()
    expect(reply).toMatchObject({ ok: false, reason: 'malformed' })
    expect(server.asked.udp).toBe(2)
  })

  it('from another port does not count', async () => {
    scripted((told) => told.sendFromElsewhere(replyTo(told, [record('203.0.113.66')])))
    expect(await ask()).toMatchObject({ ok: false, reason: 'silent' })
  })

  it('that guessed everything but the letter case has to come over TCP', async () => {
    scripted((told) => {
      const questions = [{ type: 'A' as const, name: NAME.toUpperCase() }]
      if (told.over === 'udp')
        told.send(replyTo({ packet: { ...told.packet, questions } }, [record('203.0.113.66')]))
      else told.send(replyTo({ packet: { ...told.packet, questions } }, [record('192.0.2.1')]))
    })
    expect(await ask()).toMatchObject(seen('192.0.2.1'))
    expect(server.asked).toEqual({ udp: 1, tcp: 1 })
  })
})

describe('a server', () => {
  itInDepth('that is silent is asked twice', async () => {
    scripted(() => undefined)
    expect(await ask()).toMatchObject({ ok: false, reason: 'silent' })
    expect(server.asked).toEqual({ udp: 2, tcp: 0 })
  })

  itInDepth('that lost the first question answers the second', async () => {
    scripted((told) => {
      if (server.asked.udp === 2) told.send(replyTo(told, [record('192.0.2.1')]))
    })
    expect(await ask()).toMatchObject(seen('192.0.2.1'))
  })

  it('whose answer does not fit is asked over TCP', async () => {
    const many = Array.from({ length: 300 }, (_, i) => record(`192.0.${i >> 8}.${i & 255}`))
    scripted((told) =>
      told.send(told.over === 'udp' ? replyTo(told, [], dnsPacket.TRUNCATED_RESPONSE) : replyTo(told, many)),
    )
    const reply = await ask()
    expect(reply.ok && reply.answers).toHaveLength(300)
    expect(server.asked).toEqual({ udp: 1, tcp: 1 })
  })

  it('that says half over TCP and stops is silent', async () => {
    scripted((told) => {
      if (told.over === 'udp') told.send(replyTo(told, [], dnsPacket.TRUNCATED_RESPONSE))
    })
    expect(await ask()).toMatchObject({ ok: false, reason: 'silent' })
  })

  it('that does not know EDNS is asked without it', async () => {
    scripted((told) => {
      const knows = (told.packet.additionals ?? []).length === 0
      const questions = knows ? told.packet.questions! : []
      const flags = knows ? dnsPacket.AUTHORITATIVE_ANSWER : 1
      told.send(replyTo({ packet: { ...told.packet, questions } }, knows ? [record('192.0.2.1')] : [], flags))
    })
    expect(await ask()).toMatchObject(seen('192.0.2.1'))
  })

  it('that sends octets without sense after the question is a failure', async () => {
    scripted((told) => {
      const reply = replyTo(told)
      reply.writeUInt16BE(7, 6)
      told.send(Buffer.concat([reply, Buffer.from([0xc0, 0xff, 1, 2, 3])]))
    })
    expect(await ask()).toMatchObject({ ok: false, reason: 'malformed' })
  })

  it('that refuses says so', async () => {
    scripted((told) => told.send(replyTo(told, [], 5)))
    expect(await ask()).toMatchObject({ ok: true, rcode: 'REFUSED', authoritative: false, answers: [] })
  })

  it('that is not there cannot be reached', async () => {
    const gone = await scriptedServer()
    await gone.close()
    const reply = await ask({ server: gone.server })
    expect(reply).toMatchObject({ ok: false, reason: 'unreachable' })
    expect(reply.ok ? '' : reply.detail).toContain(String(gone.server.port))
  })
})

describe('the end of patience', () => {
  it('throws the reason of the signal, at once and while waiting', async () => {
    const end = new AbortController()
    scripted(() => end.abort(new Error('enough')))
    await expect(ask({ signal: end.signal })).rejects.toThrow('enough')
    await expect(ask({ signal: end.signal })).rejects.toThrow('enough')
  })

  it('holds on TCP, too', async () => {
    const end = new AbortController()
    scripted((told) => {
      if (told.over === 'tcp') end.abort(new Error('enough'))
      else told.send(replyTo(told, [], dnsPacket.TRUNCATED_RESPONSE))
    })
    await expect(ask({ signal: end.signal })).rejects.toThrow('enough')
  })
})

describe('the reader of replies', () => {
  it('ends and throws nothing, whatever the octets are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        const reply = readReply(Buffer.from(octets))
        expect(reply === null || reply.ok).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('ends and throws nothing, wherever a true reply is broken', () => {
    const whole = dnsPacket.encode({
      type: 'response',
      questions: [{ type: 'A', name: NAME }],
      answers: [record('192.0.2.1'), { type: 'CNAME', name: NAME, ttl: 1, data: 'x.example.org' }],
      authorities: [
        { type: 'SOA', name: 'example.org', ttl: 9, data: { mname: 'a.b', rname: 'c.d', minimum: 7 } },
      ],
      additionals: [{ type: 'TXT', name: NAME, ttl: 1, data: ['a', 'b'] }],
    })
    expect(readReply(whole)).toMatchObject({
      answers: [{ value: '192.0.2.1' }, { type: 'CNAME', value: 'x.example.org' }],
      authority: [{ type: 'SOA', name: 'example.org', value: '7' }],
      additional: [{ type: 'TXT', value: 'ab' }],
    })
    for (let end = 0; end < whole.length; end++) expect(readReply(whole.subarray(0, end))).toBeNull()
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, octet) => {
        const broken = Buffer.from(whole)
        broken[at] = octet
        readReply(broken)
      }),
      { numRuns: runs(3000) },
    )
  })
})
