/**
 * Routes that are kept out of the file although they are released, because they would stand open.
 *
 * It is wrapped around the target of the routes file: what is released stays what was released, byte for byte, and what is
 * written is that with a dead end in the place of these names. Each of them is an obstacle, so that its record says why.
 *
 * In the same way the routers of open paths are left out that today's settings open no more: the rest of their record stands,
 * and a deploy makes the release say so.
 */
import type { Difference, Obstacle, Sides, Target } from '../../../engine/target.ts'
import type { FileLook } from '../../../ports/files.ts'
import type { RoutesDesired } from '../target/desire.ts'
import type { MayOpen } from './open-routers.ts'
import { withoutClosed } from './opened.ts'
import { withObjects } from '../fast/without-objects.ts'
import { deadEnd } from './dead-end.ts'

export interface ExcludedRoute {
  readonly domain: string
  readonly domain_id: number
  /** A whole sentence, with what would help. */
  readonly why: string
}

export interface LookWithExcluded {
  readonly look: FileLook
  readonly excluded: readonly ExcludedRoute[]
}

export interface Exclusions {
  /** Which names are to be kept out now. */
  excluded(signal: AbortSignal): Promise<readonly ExcludedRoute[]>
  /** Calls `hint` when that may have changed. */
  watch(hint: () => void): { close(): void }
}

/** The file says nothing of itself but its routes, hinders no record, and keeps nothing that is not asked for. */
type RoutesTarget = Omit<Target<RoutesDesired, FileLook, null>, 'stampIn' | 'hindrances' | 'keeps'>

export function excludingRoutes(
  target: RoutesTarget,
  exclusions: Exclusions,
  mayOpen: MayOpen,
): Target<RoutesDesired, LookWithExcluded, null> {
  const cut = new Cutter(mayOpen)
  /** What was kept out when a difference was found: others look at this target meanwhile, and `apply` is told differences alone. */
  const excludedAt = new WeakMap<Difference<null>, readonly ExcludedRoute[]>()
  const inner = ({ observed, working, released, ...rest_of }: Sides<RoutesDesired, LookWithExcluded>) => ({
    ...rest_of,
    working: cut.without(working, observed.excluded),
    released: released === null ? null : cut.without(released, observed.excluded),
    observed: observed.look,
  })
  const rest: Omit<RoutesTarget, 'opens' | 'isVacant'> = target
  return {
    ...rest,
    ...(target.opens === undefined
      ? {}
      : { opens: (desired, { excluded, look }) => target.opens!(cut.without(desired, excluded), look) }),
    async observe(signal, ask) {
      const excluded = await exclusions.excluded(signal)
      const seen = await target.observe(signal, ask)
      return seen.known ? { ...seen, state: { look: seen.state, excluded } } : seen
    },
    diff(desired, { excluded, look }) {
      const differences = target.diff(cut.without(desired, excluded), look)
      for (const difference of differences) excludedAt.set(difference, excluded)
      return differences
    },
    obstacles: (desired, observed) => [
      ...(target.obstacles?.(desired, observed.look) ?? []),
      ...obstaclesOf(desired, observed.excluded),
    ],
    // Whoever was let in since is in the next look; whoever is to be kept out since is kept out now.
    async apply(differences, desired, context) {
      const found = differences.flatMap((difference) => excludedAt.get(difference) ?? [])
      const excluded = new Map(
        [...found, ...(await exclusions.excluded(context.signal))].map((one) => [one.domain, one]),
      )
      return target.apply(differences, cut.without(desired, [...excluded.values()]), context)
    },
    explain: (sides) => target.explain(inner(sides)),
    excerpt: {
      desired: (desired, domains) => target.excerpt!.desired(desired, domains),
      observed: ({ look }, domains) => target.excerpt!.observed(look, domains),
    },
    watch(hint) {
      const watches = [target.watch(hint), exclusions.watch(hint)]
      return { close: () => watches.forEach((watch) => watch.close()) }
    },
  }
}

/** What of a rendering may be served now, whoever serves it: the same object as long as that is the same. */
export type Servable = (released: RoutesDesired, signal: AbortSignal) => Promise<RoutesDesired>

/** It throws where the store does not say what is to be kept out. */
export function servableRoutes(exclusions: Exclusions, mayOpen: MayOpen): Servable {
  const cut = new Cutter(mayOpen)
  return async (released, signal) => cut.without(released, await exclusions.excluded(signal))
}

/** Only of names that the desired state has: what is gone from the intent keeps nobody waiting. */
function obstaclesOf(desired: RoutesDesired, excluded: readonly ExcludedRoute[]): readonly Obstacle[] {
  if (excluded.length === 0) return []
  const domains = new Set([...desired.objects().values()].map(({ domain }) => domain))
  return excluded
    .filter(({ domain }) => domains.has(domain))
    .map(({ domain, domain_id, why }) => ({
      item: domain,
      domain_ids: [domain_id],
      failure: { code: 'refused_by_guard', message: why, retry_after_ms: 0 },
    }))
}

/** Cuts the same state for the same names once. */
class Cutter {
  readonly #mayOpen: MayOpen
  readonly #closed = new WeakMap<RoutesDesired, RoutesDesired>()
  #kept: { readonly of: string; readonly names: string; readonly state: RoutesDesired } | null = null

  constructor(mayOpen: MayOpen) {
    this.#mayOpen = mayOpen
  }

  without(whole: RoutesDesired, excluded: readonly ExcludedRoute[]): RoutesDesired {
    const desired = this.#withoutClosed(whole)
    if (excluded.length === 0) return desired
    const names = excluded.map(({ domain }) => domain).join(' ')
    if (this.#kept?.of !== desired.checksum || this.#kept.names !== names)
      this.#kept = {
        of: desired.checksum,
        names,
        state: excludeDomains(desired, new Set(excluded.map(({ domain }) => domain))),
      }
    return this.#kept.state
  }

  #withoutClosed(desired: RoutesDesired): RoutesDesired {
    const known = this.#closed.get(desired) ?? withoutClosed(desired, this.#mayOpen)
    this.#closed.set(desired, known)
    return known
  }
}

/** The rendering that serves none of these names, and leaves their hosts to nobody. */
export const excludeDomains = (desired: RoutesDesired, names: ReadonlySet<string>): RoutesDesired =>
  withObjects(desired, (item, object) =>
    object.domain !== null && names.has(object.domain) ? deadEnd(item, object) : object,
  )
