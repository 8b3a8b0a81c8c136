/** Who could not sign in any more, told before a change is made and when it is. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { Deps } from './deps.ts'
import { providerRemarks } from './provider/remarks.ts'
import { remarksOnMoves, remarksOnReleased } from './sign-in/sign-in-remarks.ts'

/** Whoever deploys waits for the end of it; what is read has a limit of its own. */
const NEVER = new AbortController().signal

export const ssoHooks = (deps: Pick<Deps, 'store' | 'sso'>): CommitHooks => ({
  planned: (rows, signal) => remarksOnMoves(deps, rows ?? [], signal),
  deployed: (domain_ids) => remarksOnReleased(deps, domain_ids, NEVER),
  remarks: (records) => providerRemarks(deps, records),
})
