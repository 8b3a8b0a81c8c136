/** The sentence of a deploy's answer, and what it leaves open where the proxy has not loaded it. Pure. */
import type { UnfinishedPart } from '../../core/answers.ts'
import { named } from '../../core/check.ts'
import { type Deployed, LOAD_UNKNOWN } from '../../core/deploy.ts'
import type { OpenRoute } from '../../model/access/proven.ts'
import { undoneWords } from '../../engine/editions/undone.ts'
import type { RefusedRow } from '../../model/plan.ts'
import type { Report } from '../../model/report.ts'

/** Whoever takes a route away and whoever brings one. */
export const NOT_LOADED: UnfinishedPart = {
  component: 'routes',
  key: 'routes',
  code: 'component_unavailable',
  message: 'The proxy has not loaded the routes file and goes on serving what it had before.',
}

export interface CameTo {
  readonly loaded: boolean | 'not_written' | 'not_known' | 'not_asked'
  /** The record that the call is about alone. */
  readonly domain: string | undefined
  readonly refused: readonly RefusedRow[]
}

/** Nobody is served what the proxy has not loaded, and where it does not answer nobody knows, so that is not called deployed, active, exposed or removed: it serves what it did before. */
export function headline(deployed: Deployed, { loaded, domain, refused }: CameTo): string {
  const { direction, message, unless_loaded } = deployed
  const is_unknown = loaded === 'not_known'
  if (direction === 'close') {
    if (loaded === false || loaded === 'not_written') return unless_loaded?.not_loaded ?? message
    return is_unknown ? (unless_loaded?.not_known ?? message) : message
  }
  const done = domain === undefined ? withCount(deployed, refused) : message
  if (is_unknown) return `${done.replace(/\.$/, '')}; ${LOAD_UNKNOWN}.`
  if (loaded === 'not_written')
    return `${done.replace(/\.$/, '')}; the routes file is not written: see the warnings.`
  if (loaded !== false) return done
  return domain === undefined
    ? `${done.replace(/\.$/, '')}; the proxy has not loaded it: see the warnings.`
    : `${domain} is saved and written, and the proxy has not loaded it: it goes on with what it had before. See the warnings.`
}

/** Whether they were refused before the release or by the world. */
function withCount({ message, counts, domain_ids }: Deployed, refused: readonly RefusedRow[]): string {
  const not_done = new Set(refused.map(({ domain_id }) => domain_id))
  const changed = domain_ids.filter((id) => !not_done.has(id)).length
  const counted = counts === true ? `${message}; ${changed} changed.` : message
  if (refused.length === 0) return counted
  return `${counted} ${refused.length === 1 ? `${refused[0]!.domain} was` : `${refused.length} were`} refused.`
}

/** A clause without an end, such as `app.example.com answers whoever has not signed in`; null where none is open. */
export function openWords(open_routes: readonly OpenRoute[]): string | null {
  if (open_routes.length === 0) return null
  const names = named(open_routes.map(({ domain }) => domain))
  return `${names} ${open_routes.length === 1 ? 'answers' : 'answer'} whoever has not signed in`
}

/** What is written as one takes edits of others with it. @param own names of the records that the call is about */
export const undoneOfOthers = (reports: readonly Report[], own: ReadonlySet<string>): readonly string[] =>
  reports.flatMap(({ component, key, undone }) => {
    if (undone === undefined || key !== component) return []
    const { domains, items, kept_as } = undone
    const others = domains.filter((domain) => !own.has(domain))
    if (others.length === 0 && domains.length > 0) return []
    const [first] = items
    const said = first === undefined ? 'its spelling' : `${first.item}: ${first.detail}`
    const words = undoneWords(key, { domains: others, first: said, is_done: true })
    return [kept_as.length === 0 ? words : `${words} What stood there is kept as ${kept_as.join(', ')}.`]
  })

/** What is not done, and when it is. */
export const comingWords = ({ code, message }: UnfinishedPart): string =>
  `${message} ${code === 'suspended' ? 'It is brought there when the suspension ends.' : 'It is tried again.'}`
