/**
 * Was the routes file loaded? Written is not loaded: the proxy refuses a whole file silently, and no API tells of it.
 *
 * The file names itself by a middleware that nobody uses. That name in the proxy's own list proves the file; another one
 * of ours proves that the proxy reads our files and runs an older one.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { ProxyMiddleware } from '../traefik/port.ts'
import type { Deps } from '../deps.ts'
import type { LoadedState } from './loaded-state.ts'
import { type DiskState, diskState } from './on-disk.ts'
import { wordsOf } from './watch.ts'

/** The proxy takes a change within two seconds of its own; a slow disk or a busy host a little more. */
export const LOADED_WITHIN_MS: Milliseconds = 8000
/** Gives up on a proxy that has answered nothing for this long. */
const SILENT_FOR_MS: Milliseconds = 2000
const BETWEEN_MS: Milliseconds = 250

type LoadedDeps = Pick<Deps, 'engine' | 'proxy' | 'routes_path'>

/** Nobody looked at the disk. */
const UNSEEN = { on_disk: null, not_there: null } as const
const NOT_SET: LoadedState = {
  loaded: null,
  detail: 'PLUMBLINE_TRAEFIK_API is not set.',
  markers: [],
  ...UNSEEN,
}

/** One question, for at most two seconds. */
export async function isLoaded(deps: LoadedDeps, signal: AbortSignal): Promise<LoadedState> {
  const { watch } = deps.proxy
  if (watch === null) return NOT_SET
  return ask(deps, watch, AbortSignal.any([signal, watch.closing, AbortSignal.timeout(SILENT_FOR_MS)]))
}

/**
 * Waits until the proxy runs the newest release, at most eight seconds. Every question is about the release that is newest
 * then: one that came meanwhile takes the place of ours. A deploy insists: it asks also a proxy that is known to be down. What
 * could not be written is not waited for. Never throws but for a bug; the end of `signal` is "not known".
 */
export async function awaitLoaded(
  deps: LoadedDeps & Pick<Deps, 'clock'>,
  signal: AbortSignal,
  { insists = false }: { readonly insists?: boolean } = {},
): Promise<LoadedState> {
  const { proxy, clock } = deps
  const { watch } = proxy
  if (watch === null) return NOT_SET
  const until = clock.elapsed() + LOADED_WITHIN_MS
  const ends = AbortSignal.any([signal, watch.closing])
  let answered_at = clock.elapsed()
  for (;;) {
    const bounded = AbortSignal.any([ends, AbortSignal.timeout(SILENT_FOR_MS)])
    const state = await ask(deps, watch, bounded, insists)
    const now = clock.elapsed()
    if (state.loaded !== null) answered_at = now
    if (state.loaded === true || state.on_disk === 'not_written' || now >= until) return state
    if (ends.aborted) return gaveUp(state)
    if (now - answered_at >= SILENT_FOR_MS) return state
    if (!(await paused(clock, ends))) return gaveUp(state)
  }
}

/** It might have been loaded yet. */
const gaveUp = (state: LoadedState): LoadedState => ({
  ...state,
  loaded: null,
  detail: 'Gave up waiting for the proxy.',
})

async function ask(
  deps: LoadedDeps,
  { api }: NonNullable<Deps['proxy']['watch']>,
  signal: AbortSignal,
  insists = false,
): Promise<LoadedState> {
  try {
    return await loadedAmong(deps, await api.middlewaresNamed(deps.proxy.marker_prefix, signal, insists))
  } catch (error) {
    const detail = signal.aborted ? unanswered(api.origin) : wordsOf(error, api.origin)
    return { loaded: null, detail, markers: [], ...UNSEEN }
  }
}

const unanswered = (origin: string): string => `${origin} did not answer in time.`

/** What the proxy's middlewares say of the newest release. */
export async function loadedAmong(
  deps: LoadedDeps,
  middlewares: readonly ProxyMiddleware[],
): Promise<LoadedState> {
  const { marker_prefix } = deps.proxy
  const markers = middlewares
    .filter((one) => one.name.startsWith(marker_prefix) && isFromFile(one))
    .map(({ name }) => name.replace(/@.*$/, ''))
  const wanted = await deps.proxy.released.marker()
  if (wanted === null) return { loaded: null, detail: 'No release has a routes file.', markers, ...UNSEEN }
  if (markers.includes(wanted)) return { loaded: true, detail: null, markers, ...UNSEEN }
  const disk = await diskState(deps, wanted)
  return { loaded: false, detail: unlike(disk, markers, deps), markers, ...disk }
}

/** A label on somebody's container can be called anything. */
const isFromFile = ({ provider }: { readonly provider: string }): boolean =>
  provider === 'file' || provider === 'http'

function unlike({ not_there }: DiskState, markers: readonly string[], { routes_path }: LoadedDeps): string {
  const is_none = markers.length === 0
  if (not_there !== null)
    return `${not_there} The proxy ${is_none ? 'shows no routes file of ours' : 'still runs an older one'}.`
  return is_none
    ? `Written, not loaded: the proxy shows no routes file of ours. It does not read ${routes_path}, or refused it when it started.`
    : 'Written, not loaded: the proxy still runs an older routes file. Its log says why, if it refused this one.'
}

async function paused(clock: Clock, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(BETWEEN_MS, signal)
    return true
  } catch (error) {
    if (signal.aborted || error instanceof Failure) return false
    throw error
  }
}
