/** The audit trail: who changed what, when, at whose request, and which plan was agreed to. It outlives the records. */
import { isoTime } from '../../kernel/clock.ts'
import { fieldError, invalid } from '../../kernel/failure.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import type { AuditQuery, AuditRecord } from '../../ports/records/trails.ts'
import type { CoreParts } from '../parts.ts'

export type PresentedAudit = Omit<AuditRecord, 'at' | 'caller_request_id'> & {
  /** RFC 3339. */
  readonly at: string
  readonly caller_request_id: string | null
}

export interface AuditPage {
  readonly entries: readonly PresentedAudit[]
  /** `before` of the next page, or null on the last one. */
  readonly next: number | null
}

/** Newest first. Any spelling of a name is understood: the one that the record had then or until then, or has now. */
export async function readAudit({ store }: CoreParts, query: AuditQuery): Promise<AuditPage> {
  const { limit, domain, ...rest } = query
  const name = domain === undefined ? {} : { called: canonicalName(domain) }
  const found = await store.auditTrail({ ...rest, ...name, limit: limit + 1 })
  const shown = found.slice(0, limit)
  return {
    entries: shown.map((entry) => ({
      ...entry,
      at: isoTime(entry.at),
      caller_request_id: entry.caller_request_id ?? null,
    })),
    next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

function canonicalName(domain: string): string {
  const parsed = parseDomainName(domain)
  if (parsed.ok) return parsed.value
  throw invalid([fieldError(['query', 'domain'], parsed.msg, parsed.type)])
}
