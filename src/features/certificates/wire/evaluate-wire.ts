/** Whether a name is served its certificate, by what a handshake has shown. Pure. */
import type { Instant } from '../../../kernel/clock.ts'
import type { DriftState } from '../../../model/drift.ts'
import type { Handshake } from '../tls-probe/port.ts'
import { type Expected, servedWrongly } from '../fault.ts'

export interface WireResult {
  /** False: it is served its own. True: it is not. Null: that could not be seen. */
  readonly drift: DriftState
  /** Why it is not false, in sentences with what would help; null where it is. */
  readonly detail: string | null
}

/** A proxy that refuses a name by an alert has answered for it; one that does not answer has said nothing. */
export function evaluateWire(
  handshake: Handshake,
  expected: Expected & { readonly domain: string },
  now: Instant,
): WireResult {
  if (!handshake.ok) return { drift: handshake.refused === true || null, detail: handshake.detail }
  const detail = servedWrongly(handshake.chain, expected, now)
  return { drift: detail !== null, detail }
}
