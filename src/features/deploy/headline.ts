/** The sentence of a deploy's answer, and what it leaves open where the proxy has not loaded it. Pure. */
import type { UnfinishedPart } from '../../core/answers.ts'
import { type Deployed, LOAD_UNKNOWN } from '../../core/deploy.ts'
import type { RefusedRow } from '../../model/plan.ts'

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
