/** The store contract: the audit trail, filtered and page by page. */
import { expect, test } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import type { AuditEntry } from '../../../src/ports/records/trails.ts'
import type { AuditQuery, AuditRecord } from '../../../src/ports/records/trails.ts'
import { eachStore, type OpenStore } from './opened.ts'

const ENTRY: AuditEntry = {
  at: 1000,
  actor: 'key',
  request_id: 'req-1',
  action: 'update',
  domain_id: 1,
  domain: 'app.example.com',
  revision_before: 1,
  revision_after: 2,
  plan_hash: 'aa',
  detail: { fields: ['backend_port'], from: { backend_port: 8080 }, note: 'a "quoted" ü\n' },
}

const ACTIONS = ['create', 'update', 'deploy'] as const
const ACTORS = ['key', 'sso:ada', 'reconciler', 'local'] as const

/** Each record had each name at some time: a name is not a record. */
const DOMAINS = ['app.example.com', 'old.example.com'] as const

/** 60 entries in which every filter meets every other; the clock is set back in the middle. */
const ENTRIES: readonly AuditEntry[] = Array.from({ length: 60 }, (_, i) => ({
  ...ENTRY,
  at: i < 30 ? 1000 + i : 970 + i,
  action: ACTIONS[i % 3]!,
  actor: ACTORS[i % 4]!,
  domain_id: i % 5 === 4 ? null : (i % 5) + 1,
  domain: i % 5 === 4 ? null : DOMAINS[i % 2]!,
  request_id: `req-${i}`,
}))

const RECORDS: readonly AuditRecord[] = ENTRIES.map((entry, i) => ({ ...entry, id: i + 1 })).toReversed()

const FILTERS: readonly (readonly [string, Omit<AuditQuery, 'limit'>, (record: AuditRecord) => boolean])[] = [
  ['nothing', {}, () => true],
  ['a domain', { domain_id: 2 }, (record) => record.domain_id === 2],
  ['a name', { domain: 'old.example.com' }, (record) => record.domain === 'old.example.com'],
  ['an action', { action: 'deploy' }, (record) => record.action === 'deploy'],
  ['an actor', { actors: ['sso:ada'] }, (record) => record.actor === 'sso:ada'],
  ['a time', { since: 1020 }, (record) => record.at >= 1020],
  [
    'all of them',
    { domain_id: 1, action: 'create', actors: ['key'], since: 1001 },
    (record) =>
      record.domain_id === 1 && record.action === 'create' && record.actor === 'key' && record.at >= 1001,
  ],
  ['a domain without entries', { domain_id: 99 }, () => false],
  ['the beginning of a name', { domain: 'old' }, () => false],
  ['the beginning of an action', { action: 'deplo' }, () => false],
]

const fill = (store: Store, entries: readonly AuditEntry[]): Promise<void> =>
  store.write(async (tx) => {
    for (const entry of entries) await tx.audit(entry)
  })

async function* pagesOf(store: Store, query: AuditQuery): AsyncGenerator<readonly AuditRecord[]> {
  let page = await store.auditTrail(query)
  while (page.length > 0) {
    yield page
    page = await store.auditTrail({ ...query, before: page.at(-1)!.id })
  }
}

export function auditTrailContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('an entry comes back whole, with and without a domain, over a restart', async () => {
    const bare = {
      ...ENTRY,
      domain_id: null,
      domain: null,
      revision_before: null,
      plan_hash: null,
      detail: {},
    }
    await fill(opened.store, [ENTRY, bare])
    const records = [
      { ...bare, id: 2 },
      { ...ENTRY, id: 1 },
    ]
    expect(await opened.store.auditTrail({ limit: 10 })).toEqual(records)
    expect(await (await opened.reopen()).auditTrail({ limit: 10 })).toEqual(records)
  })

  test.each(FILTERS)('asked for %s it gives that and all of that, newest first', async (_, query, wanted) => {
    await fill(opened.store, ENTRIES)
    const found = RECORDS.filter(wanted)
    expect(await opened.store.auditTrail({ ...query, limit: 100 })).toEqual(found)
    const paged: AuditRecord[] = []
    for await (const page of pagesOf(opened.store, { ...query, limit: 7 })) {
      expect(page.length).toBeLessThanOrEqual(7)
      paged.push(...page)
    }
    expect(paged).toEqual(found)
  })

  test('entries that come in between two pages neither repeat nor hide any', async () => {
    await fill(opened.store, ENTRIES)
    const paged: AuditRecord[] = []
    for await (const page of pagesOf(opened.store, { limit: 20 })) {
      paged.push(...page)
      await fill(opened.store, [ENTRY])
    }
    expect(paged).toEqual(RECORDS)
  })

  test('an entry whose change was rolled back is not in the trail, and inside it can be seen', async () => {
    const attempt = opened.store.write(async (tx) => {
      await tx.audit(ENTRY)
      expect(await tx.auditTrail({ limit: 10 })).toMatchObject([ENTRY])
      throw new Error('mine')
    })
    await expect(attempt).rejects.toThrow('mine')
    expect(await opened.store.auditTrail({ limit: 10 })).toEqual([])
  })

  test('the trail of a domain outlives the domain', async () => {
    await fill(opened.store, [ENTRY])
    await opened.store.write((tx) => tx.deleteDomain(1))
    expect(await opened.store.auditTrail({ domain_id: 1, limit: 10 })).toEqual([{ ...ENTRY, id: 1 }])
  })
}
