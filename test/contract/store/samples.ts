/** Records, moves and drafts for whoever feeds a store. */
import { sha256 } from '../../../src/kernel/digest.ts'
import type { DomainFields, DomainRecord } from '../../../src/model/domain/record.ts'
import { rowOf } from '../../../src/model/intent.ts'
import type { Artifact, ReleaseDraft } from '../../../src/ports/store.ts'
import type { ReleaseRow } from '../../../src/ports/records/trails.ts'
import { plainFields } from '../protocol-rules.ts'

export const named = (domain: string, change: Partial<DomainFields> = {}): DomainFields => ({
  ...plainFields,
  domain,
  ...change,
})

export const movedIn = (record: DomainRecord): ReleaseRow => ({ domain_id: record.id, row: rowOf(record) })
export const movedOut = (record: DomainRecord): ReleaseRow => ({ domain_id: record.id, row: null })

export const draft = (
  rows: readonly ReleaseRow[],
  artifacts: Readonly<Record<string, Artifact>> = {},
): ReleaseDraft => ({
  created_at: 2000,
  actor: 'key',
  request_id: 'req-1',
  reason: 'deploy',
  plan_hash: null,
  warnings: [],
  rows,
  artifacts,
})

/** Bytes to freeze, one chunk for each text. */
export const artifact = (...texts: string[]): Artifact => {
  const chunks = texts.map((text) => new TextEncoder().encode(text))
  return { digest: sha256(chunks), chunks }
}

export const textsOf = (frozen: Artifact | null): string[] | undefined =>
  frozen?.chunks.map((chunk) => new TextDecoder().decode(chunk))
