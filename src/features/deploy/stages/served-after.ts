/** Whether the proxy serves what it loaded, and what becomes of the records that it does not. */
import type { RejectedRoute } from '../../../core/answers.ts'
import type { RefusedRow } from '../../../model/plan.ts'
import { Failure } from '../../../kernel/failure.ts'
import { firstOf } from '../../../kernel/async/first-of.ts'
import type { Deps } from '../../routes/deps.ts'
import { askRejected, notServed } from '../../routes/loaded/rejected.ts'
import { markAllRefused, markRecovered } from '../record-status.ts'
import { NEVER_ABORTED } from '../../../kernel/async/never-aborted.ts'

export interface ServedQuestion {
  readonly loaded: boolean | null
  readonly domain_ids: readonly number[]
  /** The call is about every record. */
  readonly whole: boolean
  /** It is about one record alone. */
  readonly about_one: boolean
  /** Records of the call of which it is not decided yet which of two names they have. */
  readonly open: ReadonlySet<number>
}

export interface Served {
  /** What of this call the proxy loaded and does not serve; null where that is not known. */
  readonly rejected: readonly RejectedRoute[] | null
  readonly warnings: readonly string[]
  /** Of a call that is about one record alone. */
  readonly failure: Failure | null
}

const NOTHING: Served = { rejected: null, warnings: [], failure: null }

/** Records that are not served are in error when this resolves, and those that are served again are not. */
export async function servedAfter(
  deps: Deps,
  { loaded, domain_ids, whole, about_one, open }: ServedQuestion,
): Promise<Served> {
  if (loaded !== true) return NOTHING
  const found = await askRejected(deps, NEVER_ABORTED)
  if (typeof found === 'string')
    return { ...NOTHING, warnings: [`Whether the proxy serves it is not known: ${found}`] }
  const ids = new Set(domain_ids)
  const rejected = whole ? found : found.filter(({ domain_id }) => ids.has(domain_id))
  if (rejected.length === 0) await markRecovered(deps)
  else await markAllRefused(deps, reasonsOf(rejected), { open, is_unserved: true })
  return {
    rejected,
    warnings: about_one ? [] : firstOf([...reasonsOf(rejected).values()], 'GET /api/deploy/status'),
    failure: about_one && rejected.length > 0 ? refusal(rejected) : null,
  }
}

/** Puts their records into error. */
export const markRejected = (deps: Deps, rejected: readonly RejectedRoute[]): Promise<void> =>
  markAllRefused(deps, reasonsOf(rejected), { is_unserved: true })

/** As the list of an answer has what the world refused. */
export const notServedRows = (rejected: readonly RejectedRoute[]): readonly RefusedRow[] =>
  [...reasonsOf(rejected)].map(([domain_id, message]) => ({
    domain_id,
    domain: rejected.find((one) => one.domain_id === domain_id)!.domain,
    code: 'provider_refused',
    message,
  }))

/** One sentence for each domain. */
function reasonsOf(rejected: readonly RejectedRoute[]): ReadonlyMap<number, string> {
  const by_domain = new Map<number, RejectedRoute[]>()
  for (const one of rejected) by_domain.set(one.domain_id, [...(by_domain.get(one.domain_id) ?? []), one])
  return new Map([...by_domain].map(([domain_id, all]) => [domain_id, notServed(all[0]!.domain, all)]))
}

function refusal(rejected: readonly RejectedRoute[]): Failure {
  const [message] = reasonsOf(rejected).values()
  return new Failure(
    'provider_refused',
    `${message} The routes file is loaded and stays. Mend what the proxy names and deploy again; what is mended in the proxy itself is seen without that.`,
    { facts: { loaded: true, rejected } },
  )
}

/** Whether a deploy failed because the proxy does not serve what it loaded; also where a name went back for that. */
export const isOfProxy = ({ details }: Failure): boolean => {
  const rejected = details.facts?.['rejected']
  return Array.isArray(rejected) && rejected.length > 0
}
