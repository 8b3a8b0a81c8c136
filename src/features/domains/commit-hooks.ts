/** What saving or deploying a record remarks on. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { Deps } from './deps.ts'
import { endedRemarks } from './backend/ended.ts'

export const domainsHooks = (deps: Pick<Deps, 'backend' | 'clock'>): CommitHooks => ({
  remarks: async (records) => endedRemarks(deps, records),
})
