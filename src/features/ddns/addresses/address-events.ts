/** Which events a report of addresses is worth. Pure. */
import type { Instant } from '../../../kernel/clock.ts'
import { MANAGED_TYPES, type ManagedType } from '../../../model/network/dns.ts'
import type { NewEvent } from '../../../ports/records/trails.ts'
import type { Tracks } from './flap-guard.ts'

export interface Move {
  readonly host: string
  readonly at: Instant
  readonly actor: string
  readonly before: Tracks
  readonly after: Tracks
}

export const addressEvents = (move: Move): NewEvent[] =>
  MANAGED_TYPES.flatMap((type) => [...changed(move, type), ...flapping(move, type)])

function changed({ host, at, actor, before, after }: Move, type: ManagedType): NewEvent[] {
  const [from, to] = [before[type].address, after[type].address]
  if (from === to) return []
  const message = `${host}: the ${type} address is ${to}${from === null ? '' : `, it was ${from}`}.`
  return [{ at, kind: 'address', message, facts: { host, type, address: to, before: from, actor } }]
}

function flapping({ host, at, before, after }: Move, type: ManagedType): NewEvent[] {
  const { address, hold } = after[type]
  const [was, is] = [before[type].hold !== null, hold !== null]
  if (was === is) return []
  const message = is
    ? `${host}: the ${type} address goes back and forth; ${address} is held until one was reported for ten minutes.`
    : `${host}: the ${type} address is steady again.`
  const facts = { host, type, address, asked: hold?.asked ?? null, flapping: is }
  return [{ at, kind: 'flapping', message, facts }]
}
