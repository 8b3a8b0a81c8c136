/** Who could not sign in any more, or could all of a sudden, told before a change is made and when it is. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { Deps } from './deps.ts'
import { providerWarnings } from './provider/warnings.ts'
import { renamedExaminer, renamedWarnings } from './sign-in/renamed-guard.ts'
import { warningsOnMoves, warningsOnReleased } from './sign-in/sign-in-warnings.ts'
import { NEVER_ABORTED } from '../../kernel/async/never-aborted.ts'

export const ssoHooks = (deps: Pick<Deps, 'store' | 'clock' | 'sso'>): CommitHooks => ({
  planned: (rows, signal) => warningsOnMoves(deps, rows ?? [], signal),
  deployed: (domain_ids) => warningsOnReleased(deps, domain_ids, NEVER_ABORTED),
  warnings: async (records, moves) => [
    ...(await renamedWarnings(deps, records, moves)),
    ...(await providerWarnings(deps, records, moves)),
  ],
  examiner: renamedExaminer(deps),
})
