/** An installation without a domain has a release too: the file it stands for exists and can be healed. */
import type { ReleaseDraft } from '../../ports/store.ts'

export const FIRST_RELEASE: Omit<ReleaseDraft, 'artifacts' | 'created_at'> = {
  actor: 'reconciler',
  request_id: '',
  reason: 'installation',
  plan_hash: null,
  warnings: [],
  rows: [],
}
