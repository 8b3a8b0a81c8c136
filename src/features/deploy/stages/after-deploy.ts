/** Whether the proxy took what was deployed, and what is done when it did not. */
import { Failure } from '../../../kernel/failure.ts'
import type { ConvergeProgress } from '../../../engine/progress.ts'
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import type { Report } from '../../../model/report.ts'
import type { Deps } from '../../routes/deps.ts'
import { awaitLoaded, isLoaded, LOADED_WITHIN_MS } from '../../routes/loaded/loaded.ts'
import { isWritten, type LoadedState } from '../../routes/loaded/loaded-state.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export interface Taken {
  readonly head: ReleaseHead | null
  readonly reports: readonly Report[]
  /** False while routes are taken away: older bytes would bring them back. */
  readonly may_go_back: boolean
  readonly progress: ConvergeProgress | undefined
}

export interface Loaded {
  /** Null where it is not known. */
  readonly loaded: boolean | null
  /** False where the routes file could not be written. */
  readonly written: boolean | null
  /** Whether there is a proxy to ask, and something to ask it about. */
  readonly asked: boolean
  readonly warnings: readonly string[]
}

/** Throws `provider_refused` where the routes file went back to what the proxy runs. */
export async function loadedAfter(deps: Deps, taken: Taken): Promise<Loaded> {
  const routes = taken.reports.find(({ component }) => component === 'routes')
  const { watch } = deps.proxy
  if (watch === null || routes === undefined)
    return { loaded: null, written: null, asked: false, warnings: [] }
  watch.forget()
  const prove = taken.progress?.proves('proxy_runs')
  const is_news = taken.head !== null || routes.repaired > 0
  const state = is_news
    ? await awaitLoaded(deps, NEVER_ABORTED, { insists: true })
    : await isLoaded(deps, NEVER_ABORTED)
  watch.forget()
  prove?.({ state: endOf(state), message: state.detail })
  if (state.loaded === true && taken.head !== null) await noteLoaded(deps, taken.head)
  const stayed =
    state.loaded === false && state.on_disk === 'newest' ? await answerRefusal(deps, taken, state) : null
  const detail =
    state.loaded === null ? `Whether the proxy loaded it is not known: ${state.detail}` : state.detail
  return {
    loaded: state.loaded,
    written: isWritten(state),
    asked: true,
    warnings: state.loaded === true ? [] : [stayed === null ? detail! : `${detail} ${stayed}`],
  }
}

const endOf = ({ loaded }: LoadedState) => (loaded === null ? 'unfinished' : loaded ? 'done' : 'failed')

/** What cannot be kept now, the watch keeps later: the deploy itself went well. */
const noteLoaded = (deps: Deps, head: ReleaseHead): Promise<void> =>
  deps.decisions.loaded(head).catch((error: unknown) => {
    deps.log.warn('not kept that the proxy loaded it', { release: head.number, error })
  })

/** What to say beside it where the file stays. */
async function answerRefusal(
  deps: Deps,
  { head, may_go_back }: Taken,
  state: LoadedState,
): Promise<string | null> {
  if (head === null || !may_go_back) return null
  const going = await deps.decisions.decide(head, state).catch((error: unknown) => {
    deps.log.warn('could not go back to what the proxy runs', { release: head.number, error })
    return { stays_because: 'it could not be replaced just now' }
  })
  if ('stays_because' in going)
    return `The file was left as it is: ${going.stays_because.replace(/\.$/, '')}.`
  throw new Failure(
    'provider_refused',
    `The proxy did not load release ${head.number} within ${LOADED_WITHIN_MS / 1000} s and still runs release ${going.to}, ` +
      `so release ${going.release} went back to that. What was saved is kept. The proxy's log says why; deploy again after that.`,
    { facts: { loaded: false, refused_release: head.number, went_back_to: going.to } },
  )
}
