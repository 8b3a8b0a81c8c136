/** A reply's records in the normal form of the model. Whatever the octets are, this ends and does not throw. */
import dnsPacket from 'dns-packet'
import { canonicalAddress } from '../../../model/network/address.ts'
import type { DnsRecord, DnsReply } from './port.ts'

/** RFC 2181 §8: a TTL with the highest bit set is zero. */
const LONGEST_TTL = 0x7fff_ffff

/** Null for what is no whole message. */
export function readReply(bytes: Buffer): DnsReply | null {
  try {
    const packet = dnsPacket.decode(bytes)
    if (dnsPacket.decode.bytes !== bytes.length) return null
    return {
      ok: true,
      rcode: rcodeOf(bytes, packet),
      authoritative: packet.flag_aa,
      answers: recordsOf(packet.answers),
      authority: recordsOf(packet.authorities),
      additional: recordsOf(packet.additionals),
    }
  } catch {
    return null
  }
}

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

/** With the high bits that EDNS adds (RFC 6891 §6.1.3). */
function rcodeOf(bytes: Buffer, packet: dnsPacket.DecodedPacket): string {
  const edns = packet.additionals?.find((record) => record.type === 'OPT')
  const high = edns?.type === 'OPT' ? edns.extendedRcode : 0
  const rcode = (high << 4) | (bytes.readUInt16BE(2) & 0xf)
  return RCODES[rcode] ?? String(rcode)
}

const recordsOf = (answers: readonly dnsPacket.Answer[] | undefined): DnsRecord[] =>
  (answers ?? []).flatMap((answer) => recordOf(answer) ?? [])

function recordOf(answer: dnsPacket.Answer): DnsRecord | null {
  if (answer.type === 'OPT' || !('ttl' in answer) || answer.class !== 'IN') return null
  const value = valueOf(answer)
  if (value === null) return null
  const ttl = (answer.ttl ?? 0) > LONGEST_TTL ? 0 : (answer.ttl ?? 0)
  return { name: plainName(answer.name), type: answer.type as DnsRecord['type'], ttl, value }
}

function valueOf(answer: dnsPacket.Answer): string | null {
  if (answer.type === 'A' || answer.type === 'AAAA') return canonicalAddress(answer.data)
  if (answer.type === 'CNAME' || answer.type === 'DNAME' || answer.type === 'NS')
    return plainName(answer.data)
  if (answer.type === 'CAA') return `${answer.data.flags ?? 0} ${answer.data.tag} ${answer.data.value}`
  if (answer.type === 'SOA') return String(answer.data.minimum ?? 0)
  return answer.type === 'TXT' ? [answer.data].flat().map(String).join('') : null
}

const plainName = (name: string): string => (name === '.' ? '' : name.toLowerCase())
