/**
 * A deleted domain takes the keys of its gateways with it, and what they reported: whoever gets the name next must not be
 * told where it is by them, nor be published where they are. What a name still has from before when a record gets it, since
 * the record before it got another name, goes then.
 */
import type { Instant } from '../../../kernel/clock.ts'
import { withRows } from '../../../engine/editions/editions.ts'
import type { Intent } from '../../../model/intent.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { AuditFacts } from '../../../core/audit/facts.ts'
import type { Ddns } from '../ddns.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'

/** Of one name: more keys than are ever issued for it. */
const MAX_LOOKED_THROUGH = 1000

export interface EndedTokens {
  readonly tokens: readonly Pick<DdnsToken, 'id' | 'host'>[]
  /** What was reported for them is forgotten, too. */
  readonly hosts: readonly string[]
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
  const kept = await hostsOfOthers(tx, domain_id, await tx.intent('released'))
  const theirs = hosts.filter((host) => host !== hub_host && !kept.has(host))
  for (const host of theirs) await tx.of(ddnsRecords).dropReportedAddress(host)
  const tokens = (await tx.of(ddnsRecords).ddnsTokens()).filter(
    (token) => theirs.includes(token.host) && !hasEnded(token, at),
  )
  for (const { id } of tokens) await tx.of(ddnsRecords).endDdnsToken(id, at)
  const audit = tokens.map((token) => endedAudit(token, domain_id, 'deleted'))
  return { tokens, hosts: theirs, audit, ended_at: at }
}

export interface Taken {
  readonly domain_id: number
  readonly domain: string
  /** It was deployed under another name, and what was reported for it there goes along. */
  readonly is_moved?: true
}

interface Leftovers {
  readonly taken: readonly Taken[]
  /** What was deployed before, and the rows that move now. */
  readonly released: Intent
  readonly moving: readonly ReleaseRow[]
  readonly at: Instant
}

/**
 * Within the transaction in which these records got these names. What somebody else has the name for, saved or deployed, is
 * theirs; what the record itself was deployed under is its own, and so are the keys that were issued for it.
 */
export async function giveUpLeftovers(
  { hub_host }: Pick<Ddns, 'hub_host'>,
  tx: StoreWriter,
  { taken, released, moving, at }: Leftovers,
): Promise<EndedTokens> {
  const tokens: DdnsToken[] = []
  const hosts: string[] = []
  const audit: AuditFacts[] = []
  const live =
    taken.length === 0 ? [] : (await tx.of(ddnsRecords).ddnsTokens()).filter((token) => !hasEnded(token, at))
  const reported = taken.length === 0 ? [] : await tx.of(ddnsRecords).reportedAddresses()
  const left = new Set([...live, ...reported].map(({ host }) => host))
  for (const { domain_id, domain, is_moved = false } of taken) {
    if (!left.has(domain) || domain === hub_host || isDeployedAs(released, { domain_id, domain })) continue
    if ((await hostsOfOthers(tx, domain_id, withRows(released, moving))).has(domain)) continue
    const of_name = live.filter(({ host }) => host === domain)
    const own = await issuedFor(tx, { domain_id, domain })
    const foreign = of_name.filter(({ id }) => !own.has(id))
    // Where the record's own keys are all that there are, what was reported is its own, too.
    if (foreign.length === 0 && (of_name.length > 0 || is_moved)) continue
    await tx.of(ddnsRecords).dropReportedAddress(domain)
    hosts.push(domain)
    for (const token of foreign) {
      await tx.of(ddnsRecords).endDdnsToken(token.id, at)
      tokens.push(token)
      audit.push(endedAudit(token, domain_id, 'name_given_anew'))
    }
  }
  return { tokens, hosts, audit, ended_at: at }
}

/** Ids of the keys that were issued for this record under this name, as the trail tells it. */
async function issuedFor(reader: StoreReader, { domain_id, domain }: Taken): Promise<ReadonlySet<unknown>> {
  const ids = new Set<unknown>()
  for (const action of ['issue_token', 'rotate_token'])
    for (const entry of await reader.auditTrail({ domain, action, limit: MAX_LOOKED_THROUGH }))
      if (entry.domain_id === domain_id) ids.add(entry.detail['token_id'])
  return ids
}

const isDeployedAs = ({ rows }: Intent, { domain_id, domain }: Taken): boolean =>
  rows.some((row) => row.domain_id === domain_id && row.fields.domain === domain && !row.retired)

const endedAudit = (
  { id, host, label }: DdnsToken,
  domain_id: number,
  because: 'deleted' | 'name_given_anew',
): AuditFacts => ({
  action: 'revoke_token',
  domain_id,
  domain: host,
  revision_before: null,
  revision_after: null,
  detail: { token_id: id, host, label, because },
})

/** What its new owner is told of a name. */
export const leftoverWarnings = ({ tokens }: EndedTokens): readonly string[] =>
  [...new Set(tokens.map(({ host }) => host))].map((host) => {
    const count = tokens.filter((token) => token.host === host).length
    const ended = count === 1 ? 'A key' : `${count} keys`
    return `${ended} for ${host} from before ${count === 1 ? 'has' : 'have'} ended: another domain had the name. Issue one for its gateway.`
  })

/** Once that is durable: what is kept in memory follows. */
export function forgetEnded({ tokens, addresses }: Ddns, ended: EndedTokens): void {
  for (const { id } of ended.tokens) tokens.end(id, ended.ended_at)
  if (ended.hosts.length > 0) addresses.changedOutside()
}

/** As they were saved, disabled ones too, and as they are served. */
async function hostsOfOthers(
  reader: StoreReader,
  domain_id: number,
  released: Intent,
): Promise<ReadonlySet<string>> {
  const working = await reader.intent('working')
  const rows = [...working.rows, ...released.rows.filter(({ live }) => live)]
  const named = rows.map((row) => ({ domain_id: row.domain_id, domain: row.fields.domain }))
  const others = [...named, ...(await reader.damagedRecords())].filter((one) => one.domain_id !== domain_id)
  return new Set(others.map(({ domain }) => domain))
}
