/** Where signing in to one domain is not as its record says, as a part of the answer to "why is this domain as it is". */
import type { Deps } from './deps.ts'
import { PROVEN_WITHIN_MS, readSsoDrift } from '../sso/read-drift.ts'
import { SSO_LISTS } from '../sso/report.ts'
import type { SignInFault } from './explained.ts'

/** What is worst first. @param domains the names that the record has in its two editions */
export async function signInFaults(
  deps: Deps,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<readonly SignInFault[]> {
  const drift = await readSsoDrift(deps, signal, {
    domains: new Set(domains),
    within_ms: PROVEN_WITHIN_MS,
    signal,
  })
  const faults = SSO_LISTS.flatMap((list) => drift[list].map((entry) => ({ list, ...entry })))
  const own = faults.filter(({ domain }) => domains.includes(domain))
  return [...own.filter(isOpen), ...own.filter((fault) => !isOpen(fault))]
}

export const isOpen = ({ list }: SignInFault): boolean => list === 'open_route'
