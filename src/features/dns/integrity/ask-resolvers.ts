/** A question to whichever resolver answers first in the list. */
import type { DnsLookup, DnsQuery, DnsReply, DnsServer } from '../lookup/port.ts'

type Answered = Extract<DnsReply, { ok: true }>

/** Null when none of them has an answer; that a name is not there is one. */
export async function askResolvers(
  lookup: DnsLookup,
  resolvers: readonly DnsServer[],
  query: Pick<DnsQuery, 'name' | 'type' | 'signal'>,
): Promise<Answered | null> {
  for (const server of resolvers) {
    const reply = await lookup.ask({ ...query, server, recursion: true })
    if (reply.ok && (reply.rcode === 'NOERROR' || reply.rcode === 'NXDOMAIN')) return reply
  }
  return null
}
