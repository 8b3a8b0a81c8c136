/** What a report makes of what is known of a host: its addresses, what waits, and what is to be written of it. Pure. */
import type { Instant } from '../../../kernel/clock.ts'
import { MANAGED_TYPES, type ManagedType, type ReportedAddress } from '../../../model/network/dns.ts'
import type { ReportableAddress } from '../../../model/network/public-address.ts'
import type { NewEvent } from '../../../ports/records/trails.ts'
import type { AddressChange, PendingAddress } from '../records.ts'
import { evaluate, NO_TRACK, type Tracks, type FlapResult, waitingOf } from './flap-guard.ts'

export interface HostAddresses {
  readonly reported: ReportedAddress
  /** No gateway has said so: it is what was published before one was to report. */
  readonly is_carried: boolean
  readonly tracks: Tracks
  /** What is taken when it is due, at most one of each type. */
  readonly pending: readonly PendingAddress[]
}

export interface AddressEvaluation extends ReportableAddress {
  readonly result: FlapResult
}

export interface EvaluatedReport {
  readonly after: HostAddresses
  readonly evaluations: readonly AddressEvaluation[]
  readonly changes: readonly AddressChange[]
  readonly events: readonly NewEvent[]
  /** What waits differs from before. */
  readonly moves_pending: boolean
}

export interface Reported extends Pick<PendingAddress, 'host' | 'actor' | 'by'> {
  readonly addresses: readonly ReportableAddress[]
  readonly at: Instant
  /** Nobody reported it now: it has waited, and is due. */
  readonly has_waited: boolean
}

export function evaluateReport(before: HostAddresses, report: Reported): EvaluatedReport {
  const { host, addresses, actor, at, has_waited } = report
  const evaluations = addresses.map(({ address, type }) => ({
    address,
    type,
    result: evaluate(before.tracks[type], address, at),
  }))
  const tracks = { ...before.tracks }
  for (const { type, result } of evaluations) tracks[type] = result.track
  const moved = MANAGED_TYPES.filter((type) => tracks[type].address !== before.tracks[type].address)
  // The first report of what was carried over makes it a report.
  const confirmed = evaluations.filter(({ result }) => before.is_carried && result.kind === 'unchanged')
  const types = [...moved, ...confirmed.map(({ type }) => type)]
  const changes = types.map((type) => ({ host, type, address: tracks[type].address!, at, actor }))
  const pending = pendingOf(tracks, before.pending, report)
  const reported: ReportedAddress = {
    host,
    ipv4: tracks.A.address,
    ipv6: tracks.AAAA.address,
    changed_at: moved.length > 0 ? at : before.reported.changed_at,
    reported_at: has_waited ? before.reported.reported_at : at,
  }
  const moves_pending =
    pending.length !== before.pending.length || pending.some((one) => !before.pending.includes(one))
  const events = addressEvents({ host, at, actor, before: before.tracks, after: tracks })
  const is_carried = before.is_carried && changes.length === 0
  return { after: { reported, is_carried, tracks, pending }, evaluations, changes, events, moves_pending }
}

/** What waited already goes on waiting; it is of whoever reported it last, so that it ends with no older key. */
const pendingOf = (
  tracks: Tracks,
  known: readonly PendingAddress[],
  { host, addresses, actor, by, at, has_waited }: Reported,
): PendingAddress[] =>
  MANAGED_TYPES.flatMap((type) => {
    const { hold } = tracks[type]
    const waiting = waitingOf(tracks[type])
    if (waiting === null) return []
    const is_held = hold !== null
    const same = known.find(
      (one) =>
        one.type === type &&
        one.address === waiting.address &&
        one.due_at === waiting.due_at &&
        one.is_held === is_held,
    )
    if (same === undefined)
      return [{ host, type, ...waiting, asked_at: hold?.since ?? at, is_held, actor, by }]
    const is_reported = !has_waited && addresses.some((one) => one.address === same.address)
    return [is_reported && same.actor !== actor ? { ...same, actor, by } : same]
  })

export const unknownHost = (host: string): HostAddresses => ({
  reported: { host, ipv4: null, ipv6: null, changed_at: 0, reported_at: 0 },
  is_carried: false,
  tracks: { A: NO_TRACK, AAAA: NO_TRACK },
  pending: [],
})

// Which events a report of addresses is worth. Pure.

interface Move {
  readonly host: string
  readonly at: Instant
  readonly actor: string
  readonly before: Tracks
  readonly after: Tracks
}

const addressEvents = (move: Move): NewEvent[] =>
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
