/** Whether every name is served its certificate, in the words of every drift. */
import { type Instant, isoTimeOrNull } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { DriftState, ExplainedDifference } from '../../../model/drift.ts'
import type { Deps } from '../deps.ts'
import type { WireName, WireObservation } from './wire-watch.ts'

export const CERTIFICATES_SERVED = 'certificates_served'

export interface WireDrift {
  readonly drift: DriftState
  /** Ordered by domain. */
  readonly differences: readonly ExplainedDifference[]
  /** Why it is unknown, else null. */
  readonly reason: string | null
  /** How many names are looked at. */
  readonly names: number
  /** How many of them nobody has asked yet. */
  readonly never_asked: number
  /** Of the oldest observation that is reported here; null where there is none. */
  readonly observed_at: Instant | null
}

interface Asks {
  /** Asks anew, as far as there is time. */
  readonly afresh: boolean
  /** Also what was asked a moment ago. */
  readonly insists?: boolean
}

/** Null where no address is set. */
export async function wireDrift(
  { certificates }: Pick<Deps, 'certificates'>,
  signal: AbortSignal,
  { afresh, insists = false }: Asks,
): Promise<WireDrift | null> {
  const { wire } = certificates
  if (wire === null) return null
  try {
    if (afresh) await wire.refresh(signal, undefined, insists)
    return overall(await wire.observations())
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { ...NOTHING, drift: null, reason: error.message }
  }
}

const NOTHING: WireDrift = {
  drift: false,
  differences: [],
  reason: null,
  names: 0,
  never_asked: 0,
  observed_at: null,
}

type Seen = WireName & { readonly observation: WireObservation | null }

/** Pure. */
function overall(seen: readonly Seen[]): WireDrift {
  const observations = seen.flatMap(({ observation }) => observation ?? [])
  const differences = differencesIn(seen)
  const unseen = observations.filter(({ drift }) => drift === null)
  const never_asked = seen.length - observations.length
  const reason = unseen[0]?.detail ?? (never_asked > 0 ? `${never_asked} names were not asked yet.` : null)
  const is_open = differences.length === 0 && reason !== null
  return {
    drift: differences.length > 0 || (is_open ? null : false),
    differences,
    reason: is_open ? reason : null,
    names: seen.length,
    never_asked,
    observed_at: earliest(observations),
  }
}

const differencesIn = (seen: readonly Seen[]): readonly ExplainedDifference[] =>
  seen
    .filter(({ observation }) => observation?.drift === true)
    .map(({ domain, observation }) => notServed(domain, observation!))
    .sort((a, b) => (a.item < b.item ? -1 : 1))

const earliest = (observations: readonly WireObservation[]): Instant | null =>
  observations.length === 0 ? null : observations.reduce((least, { at }) => Math.min(least, at), Infinity)

export const notServed = (
  domain: string,
  { detail }: Pick<WireObservation, 'detail'>,
): ExplainedDifference => ({
  item: domain,
  cause: 'not_served',
  domains: [domain],
  detail: detail ?? '',
})

/** As callers see it. */
export const presentWire = (
  wire: WireDrift | null,
  address: { readonly host: string; readonly port: number } | null,
) =>
  wire === null
    ? { configured: false, ...NOT_LOOKED_AT }
    : {
        configured: true,
        address,
        drift: wire.drift,
        names: wire.names,
        not_served: wire.differences.length,
        detail: wire.reason,
        observed_at: isoTimeOrNull(wire.observed_at),
      }

const NOT_LOOKED_AT = {
  address: null,
  drift: null,
  names: 0,
  not_served: 0,
  detail: null,
  observed_at: null,
}
