/** The file that names further DNS accounts. Secrets stand in files of their own, so that this one may lie open. */
import { z } from 'zod'
import { type FieldError, fieldError } from '../../../kernel/failure.ts'
import { ACCOUNT_ENTRY } from '../providers/settings.ts'
import { type DnsAccount, limitedTo } from './dns-account.ts'

const NAME = 'PLUMBLINE_DNS_ACCOUNTS_FILE'
const MAX_ACCOUNTS = 50

const AccountsFile = z.strictObject({ accounts: z.array(ACCOUNT_ENTRY).min(1).max(MAX_ACCOUNTS) })

/** @param only the zones that may be touched at all; empty for every one. Adds what is wrong to `errors`. */
export function accountsIn(
  listed: unknown,
  only: readonly string[],
  errors: FieldError[],
): readonly DnsAccount[] {
  const parsed = AccountsFile.safeParse(listed)
  if (parsed.success) return parsed.data.accounts.flatMap((account) => accountOf(account, only, errors) ?? [])
  for (const { path: place, message } of parsed.error.issues)
    errors.push(fieldError([NAME], `${place.join('.')}: ${message}`.replace(/^: /, ''), 'config'))
  return []
}

function accountOf(
  listed: z.infer<typeof ACCOUNT_ENTRY>,
  only: readonly string[],
  errors: FieldError[],
): DnsAccount | null {
  const zones = listed.zones.length === 0 ? only : limitedTo(listed.zones, only)
  // No zones would mean all of them.
  if (listed.zones.length === 0 || zones.length > 0) return listed.within(zones)
  errors.push(
    fieldError([NAME], `gives "${listed.name}" no zone that PLUMBLINE_DNS_ZONES lets be touched`, 'config'),
  )
  return null
}
