/**
 * How far a record set has come: what every authoritative server shows of it, and what resolvers show beside.
 *
 * A lookup is evidence and never a reason to send anything again. Resolvers are asked only when all authoritative
 * servers agree, so that no answer "not there" gets kept by them, and they never change the result.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { DnsLookup, DnsServer } from '../lookup/port.ts'
import { agrees, type ManagedSet, sameWish } from '../records/managed-set.ts'
import { NameServers, type NameServerParts, type ZoneServers } from '../zones/name-servers.ts'
import { ResolverGlances, type ObservedResolver } from './resolver-glances.ts'
import { lookAtServer, type ServerObservation } from './look-at-server.ts'
import { sparing } from '../zones/sparing-lookup.ts'

/**
 * `synced`: all authoritative servers show it. `propagating`: not yet. `slow`: not after ten minutes either. `unknown`: a
 * server failed, so there is no telling.
 */
export const PROPAGATION_STATES = ['synced', 'propagating', 'slow', 'unknown'] as const
export type PropagationState = (typeof PROPAGATION_STATES)[number]

export interface ObservedServer {
  readonly host: string
  readonly server: DnsServer
  readonly observation: ServerObservation
}

export interface Propagation {
  readonly set: ManagedSet
  readonly state: PropagationState
  /** Since when the servers were seen to disagree with these very values; null where they agree. */
  readonly since: Instant | null
  /** What failed or is odd, else null. */
  readonly detail: string | null
  readonly servers: readonly ObservedServer[]
  /** Empty until the authoritative servers agree. */
  readonly resolvers: readonly ObservedResolver[]
  /** Null while no check got to it. */
  readonly checked_at: Instant | null
}

export const MAX_PROPAGATION_MS: Milliseconds = 600_000

export interface PropagationParts extends NameServerParts {
  readonly lookup: DnsLookup
  readonly clock: Clock
}

export class PropagationCheck {
  readonly #parts: PropagationParts
  readonly #name_servers: NameServers
  readonly #glances: ResolverGlances

  constructor(given: PropagationParts) {
    const parts = { ...given, lookup: sparing(given.lookup, given.clock) }
    this.#parts = parts
    this.#name_servers = new NameServers(parts)
    this.#glances = new ResolverGlances(parts)
  }

  /** @param before what the check before this one found of the set, or null. */
  async check(set: ManagedSet, before: Propagation | null, signal: AbortSignal): Promise<Propagation> {
    const found = await this.#name_servers.of(set.zone, signal)
    const servers = found.ok ? await this.#look(set, found, signal) : []
    const now = this.#parts.clock.now()
    const result = found.ok
      ? resultOf(set, servers, { before, now })
      : { state: 'unknown' as const, since: sinceBefore(set, before), detail: found.detail }
    const resolvers = result.state === 'synced' ? await this.#glances.look(set, signal) : []
    return { set, ...result, servers, resolvers, checked_at: now }
  }

  #look(
    set: ManagedSet,
    { servers }: Extract<ZoneServers, { ok: true }>,
    signal: AbortSignal,
  ): Promise<readonly ObservedServer[]> {
    const parts = { ...this.#parts, name_servers: this.#name_servers }
    return Promise.all(
      servers.map(async (server) => ({
        ...server,
        observation: await lookAtServer(parts, server, { ...set, signal }),
      })),
    )
  }
}

interface Circumstances {
  readonly before: Propagation | null
  readonly now: Instant
}

/** Pure. One server that failed leaves everything open: the others may be the ones that are behind. */
export function resultOf(
  set: ManagedSet,
  servers: readonly ObservedServer[],
  { before, now }: Circumstances,
): Pick<Propagation, 'state' | 'since' | 'detail'> {
  const observations = servers.map(({ observation }) => observation)
  const failed = observations.flatMap((observation) =>
    observation.kind === 'failed' ? [observation.detail] : [],
  )
  const seen = observations.filter((observation) => observation.kind === 'seen')
  const since = sinceBefore(set, before)
  if (failed.length > 0) return { state: 'unknown', since, detail: failed.join('; ') }
  if (seen.length === 0) return { state: 'unknown', since, detail: nobodyAsked(observations) }
  const detail = seen.find(({ note }) => note !== null)?.note ?? null
  if (seen.every(({ values }) => agrees(set, values))) return { state: 'synced', since: null, detail }
  const began = since ?? now
  return { state: now - began > MAX_PROPAGATION_MS ? 'slow' : 'propagating', since: began, detail }
}

/** Other values are another change, which has all its time before it. */
const sinceBefore = (set: ManagedSet, before: Propagation | null): Instant | null =>
  before !== null && sameWish(before.set, set) ? before.since : null

const nobodyAsked = (observations: readonly ServerObservation[]): string =>
  observations.map((observation) => ('detail' in observation ? observation.detail : '')).join('; ') ||
  'no server was asked'
