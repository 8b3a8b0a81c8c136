/**
 * Releases one record's saved edits and nothing else, and brings every component to it; all calls about one record bring it
 * out, or take it down, by what stands here.
 */
import { type DeploymentResult, type PlannedAnswer, planned, type RetiredAnswer } from '../../core/answers.ts'
import { type CarriedOut, failuresAudited } from '../../core/audit/failed.ts'
import { commit } from '../../core/commit/commit.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deployed, DeployWords } from '../../core/deploy.ts'
import type { Deps } from './deps.ts'
import { type Deployable, workOfDomain } from './editions/deploy-work.ts'

export async function deployDomain(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, workOfDomain(domain_id, caller))
  if (committed.planned) return planned(committed.plan)
  return bringOut(deps, { action: 'deploy', domain_id, done: committed.result, committed }, caller)
}

interface BroughtOut extends Pick<CarriedOut, 'action'> {
  readonly domain_id: number
  readonly done: Deployable
  readonly committed: Required<Pick<Deployed, 'head' | 'warnings' | 'renamed'>>
}

/** Throws what a component throws that would not take the record. */
export function bringOut(
  deps: Deps,
  { action, domain_id, done, committed }: BroughtOut,
  caller: Caller,
): Promise<DeploymentResult> {
  const { head, warnings, renamed } = committed
  return failuresAudited(deps, { caller, action, domain_id }, () =>
    deps.deploy({
      ...done,
      head,
      warnings,
      renamed,
      direction: 'open',
      about: 'one',
      progress: caller.progress,
    }),
  )
}

interface TakenDown extends Pick<Deployed, 'head' | 'warnings'> {
  readonly about: Omit<CarriedOut, 'caller'> & { readonly domain_id: number }
  readonly words: DeployWords
  /** That the record has by now; null for one that is deleted. */
  readonly revision: number | null
}

/** The route goes first, then what it needed. */
export async function takeDown(
  deps: Deps,
  { about, words, head, warnings, revision }: TakenDown,
  caller: Caller,
): Promise<RetiredAnswer> {
  const { domain_id } = about
  const { progress } = caller
  const done = await failuresAudited(deps, { caller, ...about }, () =>
    deps.deploy({ ...words, domain_ids: [domain_id], head, warnings, direction: 'close', progress }),
  )
  const { message, warnings: of_deploy, unfinished } = done
  return { success: true, domain_id, message, revision, warnings: of_deploy, unfinished }
}
