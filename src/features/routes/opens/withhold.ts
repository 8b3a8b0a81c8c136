/**
 * Routes that are kept out of the file although they are released, because they would stand open.
 *
 * It is wrapped around the target of the routes file: what is released stays what was released, byte for byte, and what is
 * written is that without the entries of these names. Each of them is an obstacle, so that its record says why.
 *
 * In the same way the routers of open paths are left out that today's settings open no more: the rest of their record stands,
 * and a deploy makes the release say so.
 */
import type { Obstacle, Sides, Target } from '../../../engine/target.ts'
import type { FileLook } from '../../../ports/files.ts'
import type { RoutesDesired } from '../target/desire.ts'
import type { MayOpen } from './open-routers.ts'
import { withoutClosed } from './opened.ts'
import { withoutObjects } from '../fast/without-objects.ts'

export interface Withheld {
  readonly domain: string
  readonly domain_id: number
  /** A whole sentence, with what would help. */
  readonly why: string
}

export interface LookWithHeld {
  readonly look: FileLook
  readonly held: readonly Withheld[]
}

export interface Holding {
  /** Which names are to be kept out now. */
  held(signal: AbortSignal): Promise<readonly Withheld[]>
  /** Calls `hint` when that may have changed. */
  watch(hint: () => void): { close(): void }
}

/** The file says nothing of itself but its routes, hinders no record, and keeps nothing that is not asked for. */
type RoutesTarget = Omit<Target<RoutesDesired, FileLook, null>, 'stampIn' | 'hindrances' | 'keeps'>

export function withholding(
  target: RoutesTarget,
  holding: Holding,
  mayOpen: MayOpen,
): Target<RoutesDesired, LookWithHeld, null> {
  const cut = new Cutter(mayOpen)
  /** What was written last by these; the target's `apply` is not told what was observed. */
  let held: readonly Withheld[] = []
  const inner = ({ observed, working, released, rows_moved }: Sides<RoutesDesired, LookWithHeld>) => ({
    working: cut.without(working, observed.held),
    released: released === null ? null : cut.without(released, observed.held),
    observed: observed.look,
    rows_moved,
  })
  const rest: Omit<RoutesTarget, 'opens'> = target
  return {
    ...rest,
    ...(target.opens === undefined
      ? {}
      : { opens: (desired, { held, look }) => target.opens!(cut.without(desired, held), look) }),
    async observe(signal, ask) {
      held = await holding.held(signal)
      const seen = await target.observe(signal, ask)
      return seen.known ? { ...seen, state: { look: seen.state, held } } : seen
    },
    diff: (desired, observed) => target.diff(cut.without(desired, observed.held), observed.look),
    obstacles: (desired, observed) => [
      ...(target.obstacles?.(desired, observed.look) ?? []),
      ...obstaclesOf(desired, observed.held),
    ],
    apply: (differences, desired, context) => target.apply(differences, cut.without(desired, held), context),
    explain: (sides) => target.explain(inner(sides)),
    excerpt: {
      desired: (desired, domains) => target.excerpt!.desired(desired, domains),
      observed: ({ look }, domains) => target.excerpt!.observed(look, domains),
    },
    watch(hint) {
      const watches = [target.watch(hint), holding.watch(hint)]
      return { close: () => watches.forEach((watch) => watch.close()) }
    },
  }
}

/** Only of names that the desired state has: what is gone from the intent keeps nobody waiting. */
function obstaclesOf(desired: RoutesDesired, held: readonly Withheld[]): readonly Obstacle[] {
  if (held.length === 0) return []
  const domains = new Set([...desired.objects().values()].map(({ domain }) => domain))
  return held
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

  without(whole: RoutesDesired, held: readonly Withheld[]): RoutesDesired {
    const desired = this.#withoutClosed(whole)
    if (held.length === 0) return desired
    const names = held.map(({ domain }) => domain).join(' ')
    if (this.#kept?.of !== desired.checksum || this.#kept.names !== names)
      this.#kept = {
        of: desired.checksum,
        names,
        state: withoutDomains(desired, new Set(held.map(({ domain }) => domain))),
      }
    return this.#kept.state
  }

  #withoutClosed(desired: RoutesDesired): RoutesDesired {
    const known = this.#closed.get(desired) ?? withoutClosed(desired, this.#mayOpen)
    this.#closed.set(desired, known)
    return known
  }
}

/** The rendering without the entries of these names. The generation marker stays: it names the release. */
export const withoutDomains = (desired: RoutesDesired, names: ReadonlySet<string>): RoutesDesired =>
  withoutObjects(desired, (_item, { domain }) => domain !== null && names.has(domain))
