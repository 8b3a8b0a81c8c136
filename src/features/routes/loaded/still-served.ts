/**
 * Whether the proxy still answers at a name that goes, or not yet at the one that takes its place.
 *
 *   the routes are not written as they were released    every name stays
 *   no API of the proxy is set                          what is written counts
 *   the proxy runs what was released                    a name goes, and where it has a successor, once that is served
 *   it runs something else                              the same, by the routers that it shows
 *   it does not answer                                  every name stays: unknown is not gone
 */
import type { LeavingName } from '../../dns/target/leaving/still-served.ts'
import type { ProxySnapshot } from '../traefik/port.ts'
import type { Deps } from '../deps.ts'
import { ROUTES_KEY } from '../target/diff.ts'
import { awaitLoaded, isLoaded } from './loaded.ts'
import { askRejected, isFromFile, rejectedIn } from './rejected.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

type ServedDeps = Pick<Deps, 'engine' | 'proxy' | 'routes_path' | 'store'>

/** Why those stay that do, as the end of a sentence that begins "… stays". One short look. */
export async function stillServed(
  deps: ServedDeps,
  leaving: readonly LeavingName[],
): Promise<ReadonlyMap<string, string>> {
  const unwritten = await deps.engine.notApplied(ROUTES_KEY)
  if (unwritten !== null)
    return because(leaving, () => `until the routes are as they were released: ${unwritten.because}`)
  const { watch } = deps.proxy
  if (watch === null) return new Map()
  const { loaded, detail } = await isLoaded(deps, NEVER_ABORTED)
  if (loaded === null) return because(leaving, () => unseen(detail))
  if (loaded) return unlessSucceeded(deps, leaving)
  const seen = await watch.look(NEVER_ABORTED)
  if (!seen.known) return because(leaving, () => unseen(seen.detail))
  const served = servedIn(deps, seen.snapshot)
  const rejected = new Set((await rejectedIn(deps, seen.snapshot)).map(({ domain }) => domain))
  return because(leaving, ({ name, successor }) => {
    if (served.has(name)) return `until the proxy serves without it. ${detail}`
    const is_taken = successor === null || (served.has(successor) && !rejected.has(successor))
    return is_taken ? null : `until the proxy serves ${successor}. ${detail}`
  })
}

/** The same of names without a successor, once the proxy has had its time to load what is written. */
export async function servedAfterLoad(
  deps: ServedDeps & Pick<Deps, 'clock'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  await awaitLoaded(deps, signal)
  return stillServed(
    deps,
    names.map((name) => ({ name, successor: null })),
  )
}

/** The proxy runs what was released, where the old names are not. */
async function unlessSucceeded(
  deps: ServedDeps,
  leaving: readonly LeavingName[],
): Promise<ReadonlyMap<string, string>> {
  const followed = leaving.filter(({ successor }) => successor !== null)
  if (followed.length === 0) return new Map()
  const rejected = await askRejected(deps, NEVER_ABORTED)
  if (typeof rejected === 'string') return because(followed, () => unseen(rejected))
  return because(followed, ({ successor }) => {
    const fault = rejected.find(({ domain }) => domain === successor)
    return fault === undefined ? null : `until the proxy serves ${successor}: ${fault.detail}.`
  })
}

const unseen = (detail: string | null): string =>
  `until the proxy is seen to serve without it${detail === null ? '.' : `: ${detail}`}`

/** Domains of which a router is shown. */
/** A redirect and a router that leads nowhere serve nobody. */
const servedIn = ({ proxy }: ServedDeps, { routers }: ProxySnapshot): ReadonlySet<string> =>
  new Set(
    routers
      .filter(({ name, service }) => isFromFile(name) && !service.endsWith('@internal'))
      .flatMap(({ name }) => proxy.domainOfShown(name) ?? []),
  )

const because = (
  leaving: readonly LeavingName[],
  why: (one: LeavingName) => string | null,
): ReadonlyMap<string, string> =>
  new Map(
    leaving.flatMap((one): (readonly [string, string])[] => {
      const said = why(one)
      return said === null ? [] : [[one.name, said]]
    }),
  )
