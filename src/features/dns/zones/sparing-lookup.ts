/**
 * A dead server costs one wait and not one for each name: who asks it again right after gets the same trouble at once.
 * Without this, one resolver that is down would use up the time that all names of a check have together.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { DnsLookup, DnsReply, DnsServer } from '../lookup/port.ts'

type Trouble = Extract<DnsReply, { ok: false }>

/** Shorter than the steady pace of a name on its way, so that each look asks anew. */
export const SPARED_MS: Milliseconds = 8000
/** Servers that are remembered at most. */
const MOST = 1000

export function sparing(lookup: DnsLookup, clock: Clock): DnsLookup {
  const dead = new Map<string, { readonly trouble: Trouble; readonly until_ms: Milliseconds }>()
  return {
    async ask(query) {
      query.signal.throwIfAborted()
      const key = keyOf(query.server)
      const known = dead.get(key)
      if (known !== undefined && clock.elapsed() < known.until_ms) return known.trouble
      const reply = await lookup.ask(query)
      dead.delete(key)
      if (!reply.ok && isDead(reply)) {
        if (dead.size >= MOST) dead.clear()
        dead.set(key, { trouble: reply, until_ms: clock.elapsed() + SPARED_MS })
      }
      return reply
    },
  }
}

const keyOf = ({ address, port }: DnsServer): string => `${address} ${port}`

/** A malformed reply may be about the one name that was asked. */
const isDead = ({ reason }: Trouble): boolean => reason !== 'malformed'
