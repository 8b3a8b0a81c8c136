/** What a change does to gateways: which address stays published for them, and whose keys end. */
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { Ddns } from './ddns.ts'
import { carriedRemarks } from './hosts/carry-over.ts'
import { forgetEnded, giveUpLeftovers, leftoverWarnings } from './hosts/give-up-hosts.ts'
import { takenNames } from './hosts/taken-names.ts'

export const ddnsHooks = (ddns: Ddns): CommitHooks => ({
  carried: carriedRemarks,
  async ended(tx, { audit, moving, released, at }) {
    const taken = takenNames(audit, moving, released)
    const left = await giveUpLeftovers(ddns, tx, { taken, moving, released, at })
    return { audit: left.audit, warnings: leftoverWarnings(left), durable: () => forgetEnded(ddns, left) }
  },
})
