/** Where signing in to one domain is not as its record says, as a part of the answer to "why is this domain as it is". */
import type { Deps } from './deps.ts'
import { PROVEN_WITHIN_MS, readSsoDrift } from '../sso/read-drift.ts'
import { SSO_LISTS } from '../sso/report.ts'
import type { SignInFault } from './explained.ts'

export interface SignInState {
  /** What is worst first. */
  readonly faults: readonly SignInFault[]
  /** Why nobody knows that it is closed to whoever has not signed in, where it was asked; else null. */
  readonly not_proven: string | null
}

/** @param domains the names that the record has in its two editions */
export async function signInFaults(
  deps: Deps,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<SignInState> {
  const drift = await readSsoDrift(deps, signal, {
    domains: new Set(domains),
    within_ms: PROVEN_WITHIN_MS,
    signal,
  })
  const faults = SSO_LISTS.flatMap((list) => drift[list].map((entry) => ({ list, ...entry })))
  const own = faults.filter(({ domain }) => domains.includes(domain))
  const open = drift.unknown.find(
    ({ part, domain }) => part === 'proof' && domain !== null && domains.includes(domain),
  )
  return {
    faults: [...own.filter(isOpen), ...own.filter((fault) => !isOpen(fault))],
    not_proven: open?.detail ?? null,
  }
}

export const isOpen = ({ list }: SignInFault): boolean => list === 'open_route'
