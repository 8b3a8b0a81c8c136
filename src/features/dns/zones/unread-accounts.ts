/**
 * Live names that lie in no zone which an account has shown, while an account could not be asked for its zones. Whether it
 * has one for them is not known, which is another thing than that there is none.
 */
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { type DnsService, MAX_LOOK_MS } from '../service.ts'

export interface UnreadAccount {
  /** As the health page calls it. */
  readonly key: string
  readonly detail: string
}

/** So many names at most are said by name. */
const MAX_NAMED = 3

/** Empty where every name has its zone, and where all accounts have shown what they have. */
function unreadAccounts(
  { withoutZone, discovery }: Pick<DnsService, 'withoutZone' | 'discovery'>,
  intent: Intent,
): readonly UnreadAccount[] {
  const silent = discovery.accounts().filter(({ ok }) => ok === false)
  const names = silent.length === 0 ? [] : withoutZone(intent)
  if (names.length === 0) return []
  const whose = names.slice(0, MAX_NAMED).join(', ')
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more names` : ''
  return silent.map(({ account, detail }) => ({
    key: `dns_account:${account}`,
    detail: `Whether the account ${account} has a zone for ${whose}${more} is not known: ${detail ?? 'it does not answer'}`,
  }))
}

/** The same after the accounts were asked once more, for as long as a look for people may take. */
export async function lookForAccounts(
  { dns, clock }: Pick<Deps, 'dns' | 'clock'>,
  intent: Intent,
  signal: AbortSignal,
): Promise<readonly UnreadAccount[]> {
  if (unreadAccounts(dns, intent).length === 0) return []
  await askedAgain({ dns, clock }, signal)
  return unreadAccounts(dns, intent)
}

/** All accounts, for as long as a look for people may take. */
export async function askedAgain(
  { dns, clock }: Pick<Deps, 'dns' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  await withTimeout(
    { clock, ms: MAX_LOOK_MS, signal },
    () => dns.discovery.refresh(),
    () => undefined,
  )
}
