/** From settings, and from the file that may name further ones, to accounts at DNS providers. All that is missing is said at once. */
import { Failure, type FieldError, fieldError } from '../../../kernel/failure.ts'
import { accountsIn } from './dns-accounts-file.ts'
import type { DnsAccount } from './dns-account.ts'
import { accountFrom, type Need, type ProviderName } from '../providers/settings.ts'
import type { Settings } from '../../../config/sections.ts'

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
      errors.push(fault('PLUMBLINE_DNS_ACCOUNTS_FILE', `names the account "${name}" twice`))
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
