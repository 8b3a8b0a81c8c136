/** Making a token inside a transaction, and what its owner is given: the secret, once, and the lines to type into a router. */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { type DomainRecord, isLive } from '../../../model/domain/record.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import type { AuditFacts } from '../../../core/audit/facts.ts'
import type { Ddns } from '../ddns.ts'
import { lineWarnings, routerLines } from '../router-lines.ts'
import { newSecret, secretDigest } from '../../../kernel/issued-secret.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import { tokenView } from './token-view.ts'
import type { TokenAnswer } from '../views.ts'

export interface MadeToken {
  readonly token: DdnsToken
  readonly secret: Secret
}

/** The record of a name that may have a token, or null for the hub's name where no record has it. Throws otherwise. */
export async function hostRecord(
  { hub_host }: Pick<Ddns, 'hub_host'>,
  reader: StoreReader,
  host: string,
): Promise<DomainRecord | null> {
  const record = await reader.domainByName(host)
  if (record === null && host !== hub_host)
    throw new Failure(
      'not_found',
      `There is no domain ${host}, and the hub host is ${hub_host ?? 'not set'}. ` +
        'Create the record first, or set PLUMBLINE_HUB_HOST.',
    )
  if (record?.status === 'disabled')
    throw new Failure('record_disabled', `${host} is disabled for good, so it takes no addresses.`, {
      facts: { domain_id: record.id },
    })
  return record
}

export async function addToken(
  tx: StoreWriter,
  { host, label, at }: { readonly host: string; readonly label: string; readonly at: Instant },
): Promise<MadeToken> {
  const secret = newSecret()
  const token: DdnsToken = {
    id: randomUUID(),
    host,
    digest: secretDigest(secret),
    label,
    created_at: at,
    expires_at: null,
    last_used_at: null,
  }
  await tx.of(ddnsRecords).addDdnsToken(token)
  return { token, secret }
}

export const tokenAudit = (
  action: string,
  { id, host, label }: DdnsToken,
  record: DomainRecord | null,
): AuditFacts => ({
  action,
  domain_id: record?.id ?? null,
  domain: host,
  revision_before: record?.revision ?? null,
  revision_after: record?.revision ?? null,
  detail: { token_id: id, host, label },
})

/** Whether what is reported under the name will be published, as far as the record says. */
export function hostWarnings(record: DomainRecord | null): string[] {
  if (record === null) return []
  if (record.service_type === 'internal' || record.service_type === 'manual')
    return [`${record.domain} is ${record.service_type}: its addresses are kept and not published.`]
  if (!record.ddns_enabled)
    return [
      `${record.domain} has ddns_enabled false: reports are refused until "plumbline set ${shellWord(record.domain)} ddns_enabled=true${deploying(record)}".`,
    ]
  if (record.static_ip === null) return []
  const remedy = `plumbline set ${shellWord(record.domain)} static_ip=${deploying(record)}`
  return [
    `${record.domain} has a static_ip: its addresses are kept and not published until that is gone. "${remedy}" takes it away.`,
  ]
}

const deploying = (record: DomainRecord): string => (isLive(record) ? ' --deploy' : '')

export function tokenAnswer(
  { baseUrl, clock }: Ddns,
  { token, secret }: MadeToken,
  answer: { readonly message: string; readonly warnings: readonly string[] },
): TokenAnswer {
  const base = baseUrl()
  return {
    success: true,
    message: answer.message,
    warnings: [...answer.warnings, ...lineWarnings(base, token.host, secret)],
    token: tokenView(token, clock.now()),
    key: secret.reveal(),
    lines: routerLines(base, token.host, secret),
  }
}
