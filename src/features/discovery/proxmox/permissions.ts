/**
 * Does a token see every guest? Proxmox VE leaves out of its lists whatever a token may not see, and says nothing: an empty
 * list may as well be a token without rights. `/access/permissions` tells what it may, by path. Pure.
 */
import { asFlag, asRecord } from '../../../kernel/text/lenient.ts'

const SEES_GUESTS = 'VM.Audit'
/** The value of a privilege says whether it holds for what lies below, too. */
const ABOVE_ALL_GUESTS = ['/', '/vms']

/** Null when it sees all of them; else what is wrong, as a sentence without its end. */
export function missingFor(permissions: unknown): string | null {
  const paths = asRecord(permissions)
  if (ABOVE_ALL_GUESTS.some((path) => asFlag(asRecord(paths[path])[SEES_GUESTS]) === true)) return null
  const some = Object.keys(paths).filter((path) => SEES_GUESTS in asRecord(paths[path]))
  const seen = some.length === 0 ? 'has it nowhere' : `has it only for ${some.slice(0, 5).join(', ')}`
  return (
    `the token needs ${SEES_GUESTS} on /vms to see all guests and ${seen}: give the role PVEAuditor on / to the user, ` +
    'and to the token where its privileges are separated'
  )
}
