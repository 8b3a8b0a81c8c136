/** What a deploy may be refused with, whoever asks for it. */
import type { FailureCode } from '../../kernel/failure.ts'

/** What a component may answer when it will not take a release. */
export const DEPLOY_PROBLEMS: readonly FailureCode[] = [
  'conflict',
  'refused_by_guard',
  'storage_full',
  'storage_unwritable',
  'component_unavailable',
  'provider_refused',
  'suspended',
]
