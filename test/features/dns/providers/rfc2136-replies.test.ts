/** Signatures of replies, alone and chained over a transfer (RFC 8945 §5.3, §5.3.1), against a signer of its own. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordFault } from '../../../../src/features/dns/providers/record-fault.ts'
import {
  OPCODE,
  readMessage,
  writeMessage,
  writeQuestion,
} from '../../../../src/features/dns/providers/rfc2136/message.ts'
import { ReplyChain } from '../../../../src/features/dns/providers/rfc2136/reply-chain.ts'
import { timers, type TsigKey, tsigOf } from '../../../../src/features/dns/providers/rfc2136/tsig.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { signReply } from './scripted-name-server.ts'
import { runs } from '../../../kit/tier.ts'

const SECRET = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64')
const KEY: TsigKey = { name: 'demo-key', algorithm: 'hmac-sha256', secret: new Secret(SECRET) }
const NOW_S = 1_700_000_000
const ZONE = 'example.org'
describe('replies', () => {
  const REQUEST_MAC = Buffer.alloc(32, 1)
  const bare = (id: number) =>
    writeMessage({ id, opcode: OPCODE.QUERY }, [[writeQuestion(ZONE, 252)], [], [], []])
  const prove = (chain: ReplyChain, bytes: Buffer, now_s = NOW_S) => {
    const message = readMessage(bytes)
    return chain.prove(message, tsigOf(message), now_s)
  }
  const options = { key: KEY, prior: REQUEST_MAC, now_s: NOW_S }
  const OK = { ok: true }

  it('of one message are proved, and not by another request, key or octet', () => {
    const { message } = signReply(bare(1), options)
    expect(prove(new ReplyChain(KEY, REQUEST_MAC), message)).toEqual(OK)
    expect(prove(new ReplyChain(KEY, Buffer.alloc(32, 2)), message)).toEqual({ ok: false, why: 'wrong_mac' })
    expect(prove(new ReplyChain({ ...KEY, name: 'other' }, REQUEST_MAC), message)).toEqual({
      ok: false,
      why: 'other_key',
    })
    expect(prove(new ReplyChain({ ...KEY, algorithm: 'hmac-sha512' }, REQUEST_MAC), message)).toEqual({
      ok: false,
      why: 'other_key',
    })
    expect(prove(new ReplyChain({ ...KEY, secret: new Secret('AAAA') }, REQUEST_MAC), message)).toEqual({
      ok: false,
      why: 'wrong_mac',
    })
    for (let at = 0; at < message.length; at++) {
      const altered = Buffer.from(message)
      altered[at] = altered[at]! ^ 1
      let proof: unknown = null
      try {
        proof = prove(new ReplyChain(KEY, REQUEST_MAC), altered)
      } catch (error) {
        expect(error).toBeInstanceOf(RecordFault)
      }
      // The id on the wire is the one thing outside the MAC; the original id is inside it.
      if (at > 1) expect([at, proof]).not.toEqual([at, OK])
    }
  })

  it('with a MAC cut short are not', () => {
    const { message } = signReply(bare(1), { ...options, mac_octets: 16 })
    expect(prove(new ReplyChain(KEY, REQUEST_MAC), message)).toEqual({ ok: false, why: 'wrong_mac' })
  })

  it('from another time are told apart from forged ones', () => {
    const late = signReply(bare(1), { ...options, now_s: NOW_S - 301 }).message
    expect(prove(new ReplyChain(KEY, REQUEST_MAC), late)).toEqual({
      ok: false,
      why: 'clock',
      server_s: NOW_S - 301,
    })
    const just = signReply(bare(1), { ...options, now_s: NOW_S + 300 }).message
    expect(prove(new ReplyChain(KEY, REQUEST_MAC), just)).toEqual(OK)
    const other = Buffer.alloc(6)
    other.writeUIntBE(NOW_S - 3600, 0, 6)
    const refused = signReply(bare(1), { ...options, error: 18, other }).message
    expect(prove(new ReplyChain(KEY, REQUEST_MAC), refused)).toEqual({
      ok: false,
      why: 'clock',
      server_s: NOW_S - 3600,
    })
  })

  it('of a transfer are chained, unsigned ones in between', () => {
    const chain = new ReplyChain(KEY, REQUEST_MAC)
    const first = signReply(bare(1), options)
    expect([prove(chain, first.message), chain.is_closed]).toEqual([OK, true])
    expect([prove(chain, bare(2)), chain.is_closed]).toEqual([OK, false])
    expect([prove(chain, bare(3)), chain.is_closed]).toEqual([OK, false])
    const last = signReply(bare(4), {
      ...options,
      prior: first.mac,
      between: [bare(2), bare(3)],
      is_later: true,
    })
    expect([prove(chain, last.message), chain.is_closed]).toEqual([OK, true])
    // The digest of a later message, made by hand (RFC 8945 §5.3.1).
    const length = Buffer.from([0, 32])
    const digest = createHmac('sha256', Buffer.from(SECRET, 'base64'))
      .update(
        Buffer.concat([
          length,
          first.mac,
          bare(2),
          bare(3),
          bare(4),
          timers({ time_s: NOW_S, fudge_s: 300 }),
        ]),
      )
      .digest()
    expect(last.mac).toEqual(digest)
  })

  it('of a transfer with a message left out, altered or put in between are not proved', () => {
    for (const between of [[bare(2)], [bare(2), bare(9)], [bare(2), bare(3), bare(3)], []]) {
      const chain = new ReplyChain(KEY, REQUEST_MAC)
      const first = signReply(bare(1), options)
      prove(chain, first.message)
      for (const message of between) prove(chain, message)
      const last = signReply(bare(4), {
        ...options,
        prior: first.mac,
        between: [bare(2), bare(3)],
        is_later: true,
      })
      expect(prove(chain, last.message)).toEqual({ ok: false, why: 'wrong_mac' })
    }
  })

  it('may not begin unsigned, nor go on so for a hundred messages', () => {
    expect(prove(new ReplyChain(KEY, REQUEST_MAC), bare(1))).toEqual({ ok: false, why: 'unsigned' })
    const chain = new ReplyChain(KEY, REQUEST_MAC)
    prove(chain, signReply(bare(1), options).message)
    for (let count = 0; count < 99; count++) expect(prove(chain, bare(2))).toEqual(OK)
    expect(prove(chain, bare(2))).toEqual({ ok: false, why: 'unsigned' })
  })

  it('of any octets are a message or a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        try {
          tsigOf(readMessage(Buffer.from(bytes)))
        } catch (error) {
          expect(error).toBeInstanceOf(RecordFault)
        }
      }),
      { numRuns: runs(5000) },
    )
  })
})
