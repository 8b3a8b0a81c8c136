/** Zone transfers that break off or lie: a listing is whole and proved, or it is a Failure. */
import { beforeEach, describe, expect, it } from 'vitest'
import { readMessage, writeRecord } from '../../../../src/features/dns/providers/rfc2136/message.ts'
import type { Rfc2136Provider } from '../../../../src/features/dns/providers/rfc2136/provider.ts'
import { MAX_TRANSFER_BYTES, Transfer } from '../../../../src/features/dns/providers/rfc2136/transfer.ts'
import type { ScriptedNameServer } from './scripted-name-server.ts'
import { A, eachScripted, failureOf, record, reply, soa, transferOf, ZONE } from './scripted-replies.ts'
import { never } from './zone-folder.ts'
import { itInDepth } from '../../../kit/in-depth.ts'

const scripted = eachScripted()
let server: ScriptedNameServer
let provider: Rfc2136Provider
beforeEach(() => {
  server = scripted.server()
  provider = scripted.provider()
})

describe('a transfer', () => {
  const send = (messages: Parameters<typeof transferOf>[1]) =>
    server.script((asked) => {
      for (const message of transferOf(asked, messages)) asked.send(message)
      asked.socket.end()
    })

  it('in one message is listed', async () => {
    send([{ answers: [soa(), A('a'), A('b'), soa()] }])
    expect((await provider.list(ZONE, never)).map(({ name }) => name)).toEqual([
      'a.example.org',
      'b.example.org',
    ])
  })

  it('in many, of which some go unsigned, is listed', async () => {
    send([
      { answers: [soa()] },
      { answers: [A('a')], signed: false },
      { answers: [A('b')], signed: false },
      { answers: [A('c')] },
      { answers: [record('b.example.org', 'A', '192.0.2.9', 5), soa()] },
    ])
    expect((await provider.list(ZONE, never)).map(({ name, ttl, values }) => [name, ttl, ...values])).toEqual(
      [
        ['a.example.org', 60, '192.0.2.1'],
        ['b.example.org', 5, '192.0.2.1', '192.0.2.9'],
        ['c.example.org', 60, '192.0.2.1'],
      ],
    )
  })

  it('is put together from any division into chunks of octets', async () => {
    server.script((asked) => {
      const [message] = transferOf(asked, [{ answers: [soa(), A('a'), soa()] }])
      const framed = Buffer.concat([Buffer.from([message!.length >> 8, message!.length & 255]), message!])
      asked.socket.setNoDelay(true)
      for (const byte of framed) asked.raw(Buffer.of(byte))
    })
    expect(await provider.list(ZONE, never)).toHaveLength(1)
  })

  it.each<readonly [what: string, messages: Parameters<typeof transferOf>[1], says: RegExp]>([
    [
      'that stops half-way',
      [{ answers: [soa(), A('a')] }, { answers: [A('b')] }],
      /before its answer was complete/,
    ],
    [
      'whose end is unsigned',
      [{ answers: [soa(), A('a')] }, { answers: [soa()], signed: false }],
      /without a signature/,
    ],
    ['that begins unsigned', [{ answers: [soa(), A('a'), soa()], signed: false }], /is not signed/],
    ['whose serials differ', [{ answers: [soa(7), A('a'), soa(8)] }], /another SOA/],
    ['that goes on after its end', [{ answers: [soa(), soa(), A('a')] }], /after the end/],
    ['without a SOA before it', [{ answers: [A('a'), soa()] }], /does not begin/],
    ['of another zone', [{ answers: [soa(7, 'example.net'), soa(7, 'example.net')] }], /outside the zone/],
    [
      'with a name outside',
      [{ answers: [soa(), record('a.example.net', 'A', '192.0.2.1'), soa()] }],
      /outside the zone/,
    ],
    [
      'with the SOA of a zone below',
      [{ answers: [soa(), soa(7, 'sub.example.org'), soa()] }],
      /another zone/,
    ],
    ['without a record', [{ answers: [] }], /no record/],
    [
      'with a record of another class',
      [
        {
          answers: [
            soa(),
            writeRecord({ name: ZONE, type: 1, class: 3, ttl: 1, data: Buffer.alloc(4) }),
            soa(),
          ],
        },
      ],
      /another class/,
    ],
    [
      'with an address of three octets',
      [
        {
          answers: [
            soa(),
            writeRecord({ name: ZONE, type: 1, class: 1, ttl: 1, data: Buffer.alloc(3) }),
            soa(),
          ],
        },
      ],
      /too little data/,
    ],
    [
      'with an address of five octets',
      [
        {
          answers: [
            soa(),
            writeRecord({ name: ZONE, type: 1, class: 1, ttl: 1, data: Buffer.alloc(5) }),
            soa(),
          ],
        },
      ],
      /more data/,
    ],
  ])('%s is a failure', async (_what, messages, says) => {
    send(messages)
    const failure = await failureOf(() => provider.list(ZONE, never))
    expect(failure.code).toBe('component_unavailable')
    expect(failure.message).toMatch(says)
  })

  itInDepth('larger than we hold is a failure before it is held', () => {
    const bytes = reply(1, [
      soa(),
      ...Array.from({ length: 60 }, (_, at) => record(`t${at}.${ZONE}`, 'TXT', 'x'.repeat(1000))),
    ])
    const message = readMessage(bytes)
    const more = readMessage(
      reply(
        1,
        Array.from({ length: 60 }, (_, at) => record(`t${at}.${ZONE}`, 'TXT', 'x'.repeat(1000))),
      ),
    )
    const transfer = new Transfer(ZONE)
    transfer.take(message)
    expect(() => {
      for (let taken = 0; taken <= MAX_TRANSFER_BYTES; taken += more.bytes.length) transfer.take(more)
    }).toThrow(/larger than/)
  })
})
