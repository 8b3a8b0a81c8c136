/**
 * A deleted domain takes the keys of its gateways with it, and what they reported: whoever gets the name next must not be
 * told where it is by them, nor be published where they are.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { DdnsToken } from '../../ports/dns-records.ts'
import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import type { AuditFacts } from '../commit.ts'
import type { Ddns } from './ddns.ts'
import { hasEnded } from './token-book.ts'

export interface EndedTokens {
  readonly tokens: readonly DdnsToken[]
  readonly audit: readonly AuditFacts[]
  readonly ended_at: Instant
}

export interface GivenUp {
  /** Its names in both editions. */
  readonly hosts: readonly string[]
  readonly domain_id: number
  readonly at: Instant
}

/** Within the transaction of the deletion. A name that another record has, too, keeps what it has. */
export async function giveUpHosts(
  { hub_host }: Pick<Ddns, 'hub_host'>,
  tx: StoreWriter,
  { hosts, domain_id, at }: GivenUp,
): Promise<EndedTokens> {
  const kept = await hostsOfOthers(tx, domain_id)
  const theirs = hosts.filter((host) => host !== hub_host && !kept.has(host))
  for (const host of theirs) await tx.dropReportedAddress(host)
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

/** As they were saved, disabled ones too, and as they stand outside. */
async function hostsOfOthers(reader: StoreReader, domain_id: number): Promise<ReadonlySet<string>> {
  const working = await reader.intent('working')
  const released = await reader.intent('released')
  const rows = [...working.rows, ...released.rows.filter(({ retired }) => !retired)]
  const named = rows.map((row) => ({ domain_id: row.domain_id, domain: row.fields.domain }))
  const others = [...named, ...(await reader.damagedRecords())].filter((one) => one.domain_id !== domain_id)
  return new Set(others.map(({ domain }) => domain))
}
