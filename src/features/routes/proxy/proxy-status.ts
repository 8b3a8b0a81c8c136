/** What is known of the proxy as a whole, for people. */
import type { ProxySnapshot } from '../traefik/port.ts'
import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import type { Deps } from '../deps.ts'
import { entrypointFaults } from './entrypoints.ts'
import { isFaulty, rejectedIn } from '../loaded/rejected.ts'
import { loadedAmong } from '../loaded/loaded.ts'
import { isWritten, type LoadedState } from '../loaded/loaded-state.ts'
import { sentAwayRivals } from './sent-away.ts'
import { type ShownRelease, shownRelease } from './shown-release.ts'
import { shadowsIn } from './shadow/shadows.ts'
import { fits } from './version-fits.ts'
import type { RouterFaults, ProxyStatusAnswer } from '../views.ts'

const MAX_NAMED = 20
const MAX_REJECTED = 200
const MAX_SHADOWED = 500

/** Within two seconds, whatever the proxy does. */
export async function proxyStatus(deps: Deps, signal: AbortSignal): Promise<ProxyStatusAnswer> {
  const { watch, written_for, static_entrypoints } = deps.proxy
  const nothing = {
    reason: null,
    version: null,
    version_fits: null,
    started_at: null,
    loaded: null,
    written: null,
    runs_release: null,
    routers: null,
    rejected: null,
    missing_entrypoints: null,
    entrypoints_detail: null,
    shadowed: [],
    not_compared: null,
  }
  if (watch === null) {
    const detail = 'PLUMBLINE_TRAEFIK_API is not set.'
    return {
      ...nothing,
      configured: false,
      api: null,
      reachable: null,
      written_for,
      detail,
      observed_at: null,
      shadowed: (await sentAwayRivals(deps)).slice(0, MAX_SHADOWED),
      ...(static_entrypoints === null ? {} : entrypointsIn(deps, static_entrypoints)),
    }
  }
  const seen = await watch.look(signal)
  const base = { configured: true, api: watch.api.origin, written_for, observed_at: isoTime(seen.at) }
  if (!seen.known) return { ...nothing, ...base, reachable: false, reason: seen.reason, detail: seen.detail }
  const { snapshot } = seen
  const state = await loadedAmong(deps, watch.routersOf(snapshot).middlewares)
  const { loaded } = state
  const runs = await runningRelease(deps, state)
  const detail = runs === null || loaded === true ? state.detail : olderWords(runs, state.not_there)
  const { rivals, is_cut } = await shadowsIn(deps, seen, { loaded, signal })
  const version_fits = fits(snapshot.version, written_for)
  return {
    ...base,
    reachable: true,
    reason: null,
    version: snapshot.version,
    version_fits,
    started_at: isoTimeOrNull(snapshot.started_at),
    loaded,
    written: isWritten(state),
    runs_release: runs?.number ?? null,
    detail: version_fits === false ? `${detail ?? ''} ${tooOld(snapshot, written_for)}`.trim() : detail,
    routers: faultsIn(snapshot),
    rejected: (await rejectedIn(deps, snapshot)).slice(0, MAX_REJECTED),
    shadowed: rivals.slice(0, MAX_SHADOWED),
    not_compared: is_cut ? NOT_COMPARED : null,
    ...entrypointsIn(deps, snapshot.entrypoints),
  }
}

export const NOT_COMPARED =
  'Routers of others have patterns (HostRegexp) that take too much work to be held against ours, so whether every request of ours ' +
  'comes to us is not known. Write these patterns shorter, and fewer of them.'

function entrypointsIn(deps: Deps, there: ProxySnapshot['entrypoints']) {
  const { missing, detail } = entrypointFaults(deps, there)
  return { missing_entrypoints: missing, entrypoints_detail: detail }
}

async function runningRelease(
  deps: Deps,
  { loaded, markers }: LoadedState,
): Promise<Pick<ShownRelease, 'number' | 'reason'> | null> {
  const head = await deps.store.latestRelease()
  if (head === null || loaded === null) return null
  return loaded ? head : shownRelease(deps, head, markers)
}

function olderWords(
  { number, reason }: Pick<ShownRelease, 'number' | 'reason'>,
  not_there: string | null,
): string {
  const older = `the routes file of release ${number} (${reason})`
  return not_there === null
    ? `Written, not loaded: the proxy still runs ${older}. Its log says why, if it refused the newest one.`
    : `${not_there} The proxy still runs ${older}.`
}

function faultsIn({ routers }: ProxySnapshot): RouterFaults {
  const disabled = routers.filter(isFaulty).slice(0, MAX_NAMED)
  return {
    total: routers.length,
    in_error: disabled.map(({ name }) => name),
    faults: disabled.map(({ name, errors }) => ({ router: name, errors })),
  }
}

const tooOld = ({ version }: ProxySnapshot, written_for: string): string =>
  `The file is written for Traefik ${written_for}, and this is ${version}: set PLUMBLINE_TRAEFIK_VERSION.`
