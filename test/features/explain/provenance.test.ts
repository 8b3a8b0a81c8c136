/** Who saved a record as it is, and which release moved it last, from a real store with a long trail. */
import { expect, it } from 'vitest'
import { rowOf } from '../../../src/model/intent.ts'
import { releasedBy, savedBy } from '../../../src/features/explain/provenance.ts'
import type { AuditEntry } from '../../../src/ports/records/trails.ts'
import { openRig } from '../../engine/rig.ts'

const entry = (over: Partial<AuditEntry>): AuditEntry => ({
  at: 0,
  actor: 'key',
  request_id: 'r',
  action: 'deploy',
  domain_id: 1,
  domain: 'app.example.com',
  revision_before: 2,
  revision_after: 2,
  plan_hash: null,
  detail: {},
  ...over,
})

it('the last editor is found behind any number of redeploys, and not confused with earlier ones', async () => {
  await using rig = await openRig({ started: false })
  const id = await rig.save('app.example.com', 80)
  const record = (await rig.store.domain(id))!
  expect(record.revision).toBe(2)
  expect(await savedBy(rig.store, record)).toBeNull()
  await rig.store.write(async (tx) => {
    await tx.audit(entry({ action: 'create', revision_before: null, revision_after: 1, actor: 'cli' }))
    await tx.audit(entry({ action: 'update', revision_before: 1, at: 5, actor: 'sso:alice' }))
    for (let i = 0; i < 250; i++) await tx.audit(entry({ at: 10 + i }))
    await tx.audit(entry({ domain_id: 2, action: 'update', revision_before: 1 }))
  })
  expect(await savedBy(rig.store, record)).toEqual({
    at: '1970-01-01T00:00:00.005Z',
    actor: 'sso:alice',
    request_id: 'r',
    action: 'update',
  })
})

it('the release is the newest that moved the record, in or out', async () => {
  await using rig = await openRig({ started: false })
  const id = await rig.save('app.example.com', 80)
  expect(await releasedBy(rig.store, id)).toBeNull()
  const first = await rig.release('app.example.com', 81)
  await rig.release('other.example.com', 80)
  expect(await releasedBy(rig.store, id)).toMatchObject({ release: first!.number, actor: 'test' })
  const record = (await rig.store.domain(id))!
  const gone = await rig.store.write((tx) =>
    rig.engine.release(tx, {
      rows: [{ domain_id: id, row: { ...rowOf(record), live: false } }],
      actor: 'sso:alice',
      request_id: 'q',
      reason: 'deactivate app.example.com',
      plan_hash: null,
      warnings: [],
    }),
  )
  expect(await releasedBy(rig.store, id)).toMatchObject({
    release: gone!.number,
    actor: 'sso:alice',
    reason: 'deactivate app.example.com',
  })
})
