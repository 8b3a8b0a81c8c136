/** What status records have by what the proxy loads and serves. Deploying decides it; whoever watches the proxy tells what was seen. */
import type { RejectedRoute } from '../../../core/answers.ts'
import type { ReleaseHead } from '../../../ports/records/trails.ts'

export interface RecordStatuses {
  /**
   * Decides names that no call decides any more: a new one that is not served goes back to the old one.
   * @param rejected all that the proxy does not serve of what it runs now
   * @returns ids of the records that went back
   */
  settleRenames(head: ReleaseHead, rejected: readonly RejectedRoute[]): Promise<ReadonlySet<number>>
  /** Puts records that are loaded and not served into error. */
  markRejected(rejected: readonly RejectedRoute[]): Promise<void>
  /** Takes records out of error that everything took, and that the proxy, as far as it can be seen, serves. */
  markRecovered(): Promise<void>
}
