/** From settings, and from the file that may name further ones, to accounts at DNS providers. All that is missing is said at once. */
import { z } from 'zod'
import { Failure, type FieldError, fieldError } from '../../../kernel/failure.ts'
import { type DnsAccount, limitedTo } from './dns-account.ts'
import { ACCOUNT_ENTRY, accountFrom, type Need, type ProviderName } from '../providers/settings.ts'
import type { Settings } from '../../../config/sections.ts'

const FILE = 'PLUMBLINE_DNS_ACCOUNTS_FILE'

/** @param listed what the accounts file holds, parsed; null without one. Throws `bad_configuration`. */
export function dnsAccounts(settings: Settings, listed: unknown): readonly DnsAccount[] {
  const errors: FieldError[] = []
  const only = settings.dns.zones
  const accounts = settings.dns.providers.flatMap((provider) =>
    provider === 'none'
      ? []
      : (accountFrom(provider, settings.dns, { only, need: needOf(provider, errors) }) ?? []),
  )
  if (listed !== null) accounts.push(...accountsIn(listed, only, errors))
  for (const { name } of accounts)
    if (accounts.filter((other) => other.name === name).length > 1)
      errors.push(fault(FILE, `names the account "${name}" twice`))
  if (errors.length === 0) return accounts
  const message = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n')
  throw new Failure('bad_configuration', message, { errors })
}

const fault = (name: string, msg: string): FieldError => fieldError([name], msg, 'config')

const needOf =
  (provider: ProviderName, errors: FieldError[]): Need =>
  (value, { name }) => {
    if (value === null) errors.push(fault(name, `is required with PLUMBLINE_DNS_PROVIDER=${provider}`))
    return value
  }

const MAX_ACCOUNTS = 50

const AccountsFile = z.strictObject({ accounts: z.array(ACCOUNT_ENTRY).min(1).max(MAX_ACCOUNTS) })

/** @param only the zones that may be touched at all; empty for every one. Adds what is wrong to `errors`. */
function accountsIn(listed: unknown, only: readonly string[], errors: FieldError[]): readonly DnsAccount[] {
  const parsed = AccountsFile.safeParse(listed)
  if (parsed.success) return parsed.data.accounts.flatMap((account) => accountOf(account, only, errors) ?? [])
  for (const { path: place, message } of parsed.error.issues)
    errors.push(fault(FILE, `${place.join('.')}: ${message}`.replace(/^: /, '')))
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
  errors.push(fault(FILE, `gives "${listed.name}" no zone that PLUMBLINE_DNS_ZONES lets be touched`))
  return null
}
