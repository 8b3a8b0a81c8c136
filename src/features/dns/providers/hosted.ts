/** What providers that answer the whole internet have in common: a token, maybe an address, and limits that are kept. */
import { z } from 'zod'
import { secretFile } from '../../../config/kinds/basic.ts'
import { httpUrl } from '../../../config/kinds/network.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import type { AccountName, ProviderTools } from '../accounts/dns-account.ts'
import { ENTRY } from './declare.ts'
import type { DnsProvider } from './port.ts'

/** `url`: another address of the API; null for the usual one. */
export interface TokenAccess {
  readonly token: Secret
  readonly url: string | null
}

export const hostedEntry = <const Name extends string>(name: Name) =>
  z.strictObject({
    ...ENTRY,
    provider: z.literal(name),
    token_file: secretFile,
    url: httpUrl.nullable().default(null),
  })

export const tokenIn = ({
  token_file: token,
  url,
}: {
  readonly token_file: Secret
  readonly url: string | null
}): TokenAccess => ({ token, url })

export interface HostedOptions {
  readonly account: string
  readonly token: Secret
  readonly http: HttpClient
  readonly clock: Clock
  readonly base?: string
}

/** A machine waits this long for its share of a provider's limit; beyond it the backoff waits. */
const MAX_BUDGET_WAIT_MS: Milliseconds = 10_000

export async function openHosted(
  make: (options: HostedOptions) => DnsProvider,
  { name: account, token, url }: AccountName & TokenAccess,
  { http, clock }: Pick<ProviderTools, 'http' | 'clock'>,
): Promise<DnsProvider> {
  const { respectingRetryAfter, withBudget } = await import('./limits.ts')
  const options = { account, token, clock, ...(url !== null && { base: url }) }
  const respecting = respectingRetryAfter(http, { clock })
  const { limit } = make({ ...options, http: respecting }).traits
  const limits = limit === null ? [] : [limit]
  return make({
    ...options,
    http: withBudget(respecting, { clock, limits, max_wait_ms: MAX_BUDGET_WAIT_MS }),
  })
}
