/** What a whole check found, and how it is told. */
import { type Instant, isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import { hostPort } from '../../../model/network/address.ts'
import type { Leftover } from '../records/leftover.ts'
import { UNSERVED } from '../service.ts'
import { agrees } from '../records/managed-set.ts'
import {
  type Propagation,
  PROPAGATION_STATES,
  type PropagationState,
  type ObservedServer,
} from './propagation.ts'
import type { ObservedResolver } from './resolver-glances.ts'

export interface IntegrityResult {
  /** When the last check of everything ended. */
  readonly checked_at: Instant
  readonly took_ms: number
  /** Why nothing could be compared, else null. */
  readonly failure: string | null
  /** Ordered by name and type. */
  readonly names: readonly Propagation[]
}

export interface BesideResult {
  /** Sets of ours that stand although nothing asks for them. */
  readonly leftovers: readonly Leftover[]
  /** Zones with sets of ours that are not asked about, since no server is known to have them. */
  readonly unserved: readonly string[]
  readonly now: Instant
}

/** @param result null before the first check */
export function integrityReport(result: IntegrityResult | null, { leftovers, unserved, now }: BesideResult) {
  const found = result === null ? null : okOf(result)
  const reasons = [
    leftovers.length > 0 ? leftOverWords(leftovers) : null,
    unserved.length > 0 ? unservedWords(unserved) : null,
    result !== null ? reasonOf(result) : unserved.length > 0 ? null : NEVER_RAN,
  ].filter((reason) => reason !== null)
  return {
    ok: leftovers.length > 0 || found === false ? false : unserved.length > 0 ? null : found,
    reason: reasons.length === 0 ? null : reasons.join(' '),
    leftovers,
    checked_at: result === null ? null : isoTime(result.checked_at),
    age_seconds: result === null ? null : Math.max(0, Math.round((now - result.checked_at) / 1000)),
    took_ms: result?.took_ms ?? null,
    counts: countsOf(result?.names ?? []),
    names: (result?.names ?? []).map(shown),
  }
}

export const leftOverWords = ({ length }: BesideResult['leftovers']): string =>
  `${length} of our records stand there that nothing asks for.`

export const unservedWords = (zones: readonly string[]): string => `${zones.join(', ')}: ${UNSERVED}.`

/** True: every name is in place. False: one is not, and it is not on its way any more. Null: no telling yet. */
export function okOf({ failure, names }: IntegrityResult): boolean | null {
  if (names.some(({ state }) => state === 'slow')) return false
  return failure === null && names.every(({ state }) => state === 'synced') ? true : null
}

const NEVER_RAN = 'The check never ran: it is due soon after the start.'

function reasonOf({ failure, names }: IntegrityResult): string | null {
  if (failure !== null) return failure
  const { slow, unknown, propagating } = countsOf(names)
  if (slow > 0) return `${slow} not in place ten minutes after the change.`
  if (unknown > 0) return `${unknown} cannot be told.`
  return propagating > 0 ? `${propagating} on the way.` : null
}

function countsOf(names: readonly Propagation[]): Record<PropagationState, number> {
  const counts = Object.fromEntries(PROPAGATION_STATES.map((state) => [state, 0]))
  for (const { state } of names) counts[state] = (counts[state] ?? 0) + 1
  return counts as Record<PropagationState, number>
}

const shown = ({ set, state, since, detail, servers, resolvers, checked_at }: Propagation) => ({
  domain_id: set.domain_id,
  zone: set.zone,
  name: set.name,
  type: set.type,
  proxied: set.proxied,
  provider: set.values,
  state,
  since: isoTimeOrNull(since),
  detail,
  checked_at: isoTimeOrNull(checked_at),
  authoritative: servers.map((server) => shownServer(server, set)),
  resolvers: resolvers.map(shownResolver),
})

function shownServer({ host, server, observation }: ObservedServer, set: Propagation['set']) {
  const place = { host, address: hostPort(server.address, server.port) }
  return observation.kind === 'seen'
    ? {
        ...place,
        values: observation.values,
        via: observation.via,
        agrees: agrees(set, observation.values),
        detail: observation.note,
      }
    : { ...place, values: null, via: [], agrees: null, detail: observation.detail }
}

const shownResolver = ({ server, ...rest }: ObservedResolver) => ({
  address: hostPort(server.address, server.port),
  ...rest,
})
