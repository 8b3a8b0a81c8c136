/**
 * A question on the wire, and whether a datagram is the reply to it.
 *
 * Who guesses must guess the number, the source port and the letter case of every letter of the name (the "0x20" of
 * draft-vixie-dnsext-dns0x20). Servers that do not repeat the case are asked over TCP, which cannot be guessed at.
 */
import { randomBytes, randomInt } from 'node:crypto'
import dnsPacket from 'dns-packet'
import type { DnsQuery } from './port.ts'

/** Fits into every path's datagram (DNS flag day 2020). */
const UDP_BYTES = 1232
const HEADER_BYTES = 12
const RCODE = { FORMERR: 1, NOTIMP: 4 }

export interface Question {
  readonly id: number
  /** The whole message, without the length that TCP wants before it. */
  readonly bytes: Buffer
  /** Where the question section ends. */
  readonly end: number
  readonly has_edns: boolean
}

export function newQuestion({ name, type, recursion }: DnsQuery, has_edns: boolean): Question {
  const id = randomInt(0x1_0000)
  const bare = {
    type: 'query' as const,
    id,
    flags: recursion ? dnsPacket.RECURSION_DESIRED : 0,
    questions: [{ name: mixedCase(name) || '.', type }],
  }
  const edns = { type: 'OPT' as const, name: '.' as const, udpPayloadSize: UDP_BYTES, flags: 0, options: [] }
  // The library's types ask for members of OPT that its encoder fills in.
  const additionals = has_edns ? [edns as unknown as dnsPacket.OptAnswer] : []
  return {
    id,
    bytes: dnsPacket.encode({ ...bare, additionals }),
    end: dnsPacket.encode(bare).length,
    has_edns,
  }
}

function mixedCase(name: string): string {
  const coins = randomBytes(name.length)
  return name.replace(/[a-z]/g, (letter, at: number) => (coins[at]! & 1 ? letter.toUpperCase() : letter))
}

/** `recased`: perhaps from a server that does not keep the case. `no_edns`: from one that does not know EDNS. */
export type Match = 'ours' | 'recased' | 'no_edns' | 'foreign'

export function matchOf(question: Question, reply: Buffer): Match {
  if (reply.length < HEADER_BYTES || reply.readUInt16BE(0) !== question.id) return 'foreign'
  const flags = reply.readUInt16BE(2)
  const is_reply_to_query = (flags & 0xf800) === 0x8000
  if (!is_reply_to_query) return 'foreign'
  const rcode = flags & 0xf
  const is_unknown_form = rcode === RCODE.FORMERR || rcode === RCODE.NOTIMP
  if (reply.readUInt16BE(4) === 0) return is_unknown_form && question.has_edns ? 'no_edns' : 'foreign'
  const [asked, repeated] = [question.bytes, reply].map((bytes) => bytes.subarray(HEADER_BYTES, question.end))
  if (reply.readUInt16BE(4) !== 1 || !sameButCase(asked!, repeated!)) return 'foreign'
  if (is_unknown_form && question.has_edns) return 'no_edns'
  return asked!.equals(repeated!) ? 'ours' : 'recased'
}

const sameButCase = (a: Buffer, b: Buffer): boolean =>
  a.length === b.length && a.every((octet, i) => lower(octet) === lower(b[i]!))

const lower = (octet: number): number => (octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet)

export const isTruncated = (reply: Buffer): boolean => (reply.readUInt16BE(2) & 0x0200) !== 0

const LABEL = /^[^.]{1,63}$/

/** False for what cannot be written into a message. */
export const isAskable = (name: string): boolean =>
  name === '' || (Buffer.byteLength(name) <= 253 && name.split('.').every((label) => LABEL.test(label)))
