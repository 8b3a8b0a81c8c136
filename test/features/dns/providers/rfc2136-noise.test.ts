/** Mutated messages: a whole listing, no listing or a fault, and nothing altered is believed without the key. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { RecordFault } from '../../../../src/features/dns/providers/record-fault.ts'
import { readMessage, writeRecord } from '../../../../src/features/dns/providers/rfc2136/message.ts'
import type { Rfc2136Provider } from '../../../../src/features/dns/providers/rfc2136/provider.ts'
import { ReplyChain } from '../../../../src/features/dns/providers/rfc2136/reply-chain.ts'
import { Transfer } from '../../../../src/features/dns/providers/rfc2136/transfer.ts'
import { tsigOf } from '../../../../src/features/dns/providers/rfc2136/tsig.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import type { ListedRrset } from '../../../../src/model/network/dns.ts'
import { type Asked, type ScriptedNameServer, signReply } from './scripted-name-server.ts'
import { A, eachScripted, failureOf, KEY, NOW_MS, record, reply, soa, ZONE } from './scripted-replies.ts'
import { never } from './zone-folder.ts'
import { runs, share } from '../../../kit/tier.ts'

const scripted = eachScripted()
let server: ScriptedNameServer
let provider: Rfc2136Provider
beforeEach(() => {
  server = scripted.server()
  provider = scripted.provider()
})

describe('noise', () => {
  const whole = [soa(), A('a'), record(ZONE, 'MX', '10 mail.example.org'), record(ZONE, 'TXT', 'x'), soa()]
  const mutation = fc.record({
    at: fc.nat(400),
    cut: fc.nat(3),
    put: fc.uint8Array({ maxLength: 3 }),
    resign: fc.boolean(),
  })
  type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never

  /** Signed anew, a mutation comes from one who has the key: the MAC does not stand before the reader then. */
  function mutated({ at, cut, put, resign }: Mutation, asked: Pick<Asked, 'id' | 'mac'>): Buffer {
    const sign = (bytes: Buffer) =>
      signReply(bytes, { key: KEY, prior: asked.mac, now_s: NOW_MS / 1000 }).message
    const mutate = (bytes: Buffer) => {
      const from = at % bytes.length
      return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)])
    }
    const bare = reply(asked.id, whole)
    // What is too short to be counted in cannot be signed.
    return resign && mutate(bare).length >= 12 ? sign(mutate(bare)) : mutate(sign(bare))
  }

  /** What the provider does with one message, without the connection. */
  function read(bytes: Buffer, mac: Buffer): ListedRrset[] | null {
    const message = readMessage(bytes)
    const proof = new ReplyChain(KEY, mac).prove(message, tsigOf(message), NOW_MS / 1000)
    if (!proof.ok || message.rcode !== 0) return null
    const transfer = new Transfer(ZONE)
    return transfer.take(message) ? transfer.sets() : null
  }

  it('of mutated messages is a whole listing, no listing or a fault, and without the key never an altered one', () => {
    const asked = { id: 7, mac: Buffer.alloc(32, 9) }
    const intact = read(mutated({ at: 0, cut: 0, put: new Uint8Array(), resign: false }, asked), asked.mac)
    let [listed, refused] = [0, 0]
    fc.assert(
      fc.property(mutation, (change) => {
        let result: unknown
        try {
          result = read(mutated(change, asked), asked.mac)
        } catch (error) {
          expect(error).toBeInstanceOf(RecordFault)
          result = null
        }
        if (result === null) refused++
        else listed++
        if (result !== null && !change.resign) expect(result).toEqual(intact)
      }),
      { numRuns: runs(20_000) },
    )
    expect(intact).toHaveLength(3)
    expect(Math.min(listed, refused)).toBeGreaterThan(share(20_000, 500))
  })

  it('over the wire is a listing or a Failure', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        server.script((asked) => {
          asked.send(mutated(change, asked))
          asked.socket.end()
        })
        const result = await provider.list(ZONE, never).catch((error: unknown) => error)
        if (!Array.isArray(result)) expect(result).toBeInstanceOf(Failure)
      }),
      { numRuns: 500 },
    )
  })

  it('names in pointers that lead nowhere are refused inside data, too', async () => {
    const loop = writeRecord({ name: ZONE, type: 5, class: 1, ttl: 1, data: Buffer.from([0xc0, 0xff]) })
    server.script((asked) => {
      const bare = reply(asked.id, [soa(), loop, soa()])
      asked.send(signReply(bare, { key: KEY, prior: asked.mac, now_s: NOW_MS / 1000 }).message)
    })
    expect(await failureOf(() => provider.list(ZONE, never))).toMatchObject({ code: 'component_unavailable' })
  })
})
