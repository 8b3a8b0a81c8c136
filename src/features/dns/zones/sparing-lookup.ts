/**
 * A dead server costs one wait and not one for each name: who asks it again right after gets the same trouble at once.
 * Without this, one resolver that is down would use up the time that all names of a check have together.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { DnsLookup, DnsReply, DnsServer } from '../lookup/port.ts'

type LookupFailure = Extract<DnsReply, { ok: false }>

/** Shorter than the steady pace of a name on its way, so that each look asks anew. */
export const SPARED_MS: Milliseconds = 8000
/** Servers that are remembered at most. */
const MOST = 1000

export function sparing(lookup: DnsLookup, clock: Clock): DnsLookup {
  const dead = new Map<string, { readonly failure: LookupFailure; readonly until_ms: Milliseconds }>()
  return {
    async ask(query) {
      query.signal.throwIfAborted()
      const key = keyOf(query.server)
      const known = dead.get(key)
      if (known !== undefined && clock.elapsed() < known.until_ms) return known.failure
      const reply = await lookup.ask(query)
      dead.delete(key)
      if (!reply.ok && isDead(reply)) {
        if (dead.size >= MOST) dead.clear()
        dead.set(key, { failure: reply, until_ms: clock.elapsed() + SPARED_MS })
      }
      return reply
    },
  }
}

const keyOf = ({ address, port }: DnsServer): string => `${address} ${port}`

/** A malformed reply may be about the one name that was asked. */
const isDead = ({ reason }: LookupFailure): boolean => reason !== 'malformed'
