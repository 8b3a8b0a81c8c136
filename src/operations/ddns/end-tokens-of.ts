/** A deleted domain takes the keys of its gateways with it: whoever gets the name next must not be told where it is by them. */
import type { Instant } from '../../kernel/clock.ts'
import type { DdnsToken } from '../../ports/dns-records.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { AuditFacts } from '../commit.ts'
import type { Ddns } from './ddns.ts'
import { hasEnded } from './token-book.ts'

export interface EndedTokens {
  readonly tokens: readonly DdnsToken[]
  readonly audit: readonly AuditFacts[]
  readonly ended_at: Instant
}

/** Within the transaction of the deletion. @param hosts its names in both editions */
export async function endTokensOf(
  { hub_host }: Pick<Ddns, 'hub_host'>,
  tx: StoreWriter,
  {
    hosts,
    domain_id,
    at,
  }: { readonly hosts: readonly string[]; readonly domain_id: number; readonly at: Instant },
): Promise<EndedTokens> {
  const theirs = hosts.filter((host) => host !== hub_host)
  const tokens = (await tx.ddnsTokens()).filter(
    (token) => theirs.includes(token.host) && !hasEnded(token, at),
  )
  for (const { id } of tokens) await tx.endDdnsToken(id, at)
  const audit = tokens.map(({ id, host, label }) => ({
    action: 'revoke_token',
    domain_id,
    domain: host,
    revision_before: null,
    revision_after: null,
    detail: { token_id: id, host, label, because: 'deleted' },
  }))
  return { tokens, audit, ended_at: at }
}
