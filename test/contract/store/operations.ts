/** The store contract: operations, which end once or are cut short. */
import { expect, test } from 'vitest'
import type { ReleaseDraft, StoreWriter } from '../../../src/ports/store.ts'
import type { AuditEntry } from '../../../src/ports/records/trails.ts'
import type { NewOperation } from '../../../src/ports/records/trails.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'

const OPERATION: NewOperation = {
  id: 'op-1',
  created_at: 1000,
  actor: 'key',
  request_id: 'req-1',
  method: 'POST',
  path: '/api/domains/deploy-all',
}
const ENTRY: AuditEntry = {
  at: 1000,
  actor: 'key',
  request_id: 'req-1',
  action: 'update',
  domain_id: null,
  domain: null,
  revision_before: null,
  revision_after: null,
  plan_hash: null,
  detail: {},
}
const DRAFT: ReleaseDraft = {
  created_at: 1000,
  actor: 'key',
  request_id: 'req-1',
  reason: 'test',
  plan_hash: null,
  warnings: [],
  rows: [],
  artifacts: {},
}
const RUNNING = { ...OPERATION, state: 'running', ended_at: null, status: null, body: null }

export function operationsContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)
  const begin = (id: string, created_at = 1000) =>
    write((tx) => tx.beginOperation({ ...OPERATION, id, created_at }))
  const end = (id: string, state: 'succeeded' | 'failed' = 'succeeded') =>
    write((tx) => tx.endOperation(id, { state, at: 2000, status: 200, body: '{"ok":true}' }))

  test('an operation runs from its begin; one that never began is null', async () => {
    expect(await opened.store.operation('op-1')).toBeNull()
    await begin('op-1')
    expect(await opened.store.operation('op-1')).toEqual(RUNNING)
    expect(await (await opened.reopen()).operation('op-1')).toEqual(RUNNING)
  })

  test.each(['succeeded', 'failed'] as const)(
    'an operation that %s has the answer that the call would have given',
    async (state) => {
      await begin('op-1')
      await begin('op-2')
      await end('op-1', state)
      const ended = { ...OPERATION, state, ended_at: 2000, status: 200, body: '{"ok":true}' }
      expect(await opened.store.operation('op-1')).toEqual(ended)
      expect(await opened.store.operation('op-2')).toMatchObject({ state: 'running' })
      expect(await (await opened.reopen()).operation('op-1')).toEqual(ended)
    },
  )

  test('an operation ends once, and only one that began', async () => {
    await begin('op-1')
    await end('op-1', 'failed')
    await failureOf(end('op-1'), 'internal')
    await failureOf(end('op-2'), 'internal')
    await failureOf(begin('op-1'), 'internal')
    expect(await opened.store.operation('op-1')).toMatchObject({ state: 'failed' })
  })

  test('of callers that race to end an operation one does', async () => {
    await begin('op-1')
    const ends = await Promise.allSettled(Array.from({ length: 100 }, () => end('op-1')))
    expect(ends.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  test('what ran when the process died is interrupted at the next start; what had ended stays', async () => {
    for (const id of ['op-1', 'op-2', 'op-3']) await begin(id)
    await end('op-2')
    const store = await opened.reopen()
    expect(await write((tx) => tx.interruptOperations(5000))).toBe(2)
    for (const id of ['op-1', 'op-3'])
      expect(await store.operation(id)).toEqual({ ...RUNNING, id, state: 'interrupted', ended_at: 5000 })
    expect(await store.operation('op-2')).toMatchObject({ state: 'succeeded', ended_at: 2000 })
    expect(await write((tx) => tx.interruptOperations(6000))).toBe(0)
    expect(await store.operation('op-1')).toMatchObject({ ended_at: 5000 })
    await failureOf(end('op-1'), 'internal')
  })

  test('what a call has committed is known by its request, its caller and its time', async () => {
    const call = { request_id: 'req-1', actor: 'key', since: 1000, until: 2000 }
    const committed = () => opened.store.committedBy(call)
    expect(await committed()).toEqual({ release: null, changes: 0 })
    const audited = (over: Partial<AuditEntry>) => write((tx) => tx.audit({ ...ENTRY, ...over }))
    const released = (over: Partial<ReleaseDraft>) => write((tx) => tx.addRelease({ ...DRAFT, ...over }))
    await audited({ request_id: 'req-2' })
    await audited({ actor: 'sso:ada' })
    await audited({ at: 999 })
    await audited({ at: 2001 })
    await audited({ action: 'refused' })
    await released({ actor: 'reconciler' })
    await released({ created_at: 2001 })
    expect(await committed()).toEqual({ release: null, changes: 0 })
    await audited({})
    await audited({ at: 2000 })
    expect(await committed()).toEqual({ release: null, changes: 2 })
    await released({})
    await released({})
    expect(await committed()).toEqual({ release: 3, changes: 2 })
    expect(await (await opened.reopen()).committedBy(call)).toEqual({ release: 3, changes: 2 })
  })

  test('are listed newest first, those of a state, and no more than are asked for', async () => {
    for (const at of [1000, 3000, 2000]) await begin(`op-${at}`, at)
    await end('op-3000')
    const { store } = opened
    const idsOf = async (query: Parameters<typeof store.operations>[0]) =>
      (await store.operations(query)).map(({ id }) => id)
    expect(await idsOf({ limit: 10 })).toEqual(['op-3000', 'op-2000', 'op-1000'])
    expect(await idsOf({ limit: 1 })).toEqual(['op-3000'])
    expect(await idsOf({ state: 'running', limit: 10 })).toEqual(['op-2000', 'op-1000'])
    for (const at of [1000, 2000]) await end(`op-${at}`)
  })

  test('operations older than a time are forgotten, but never one that still runs', async () => {
    for (const at of [1000, 2000, 3000]) await begin(`op-${at}`, at)
    await begin('running', 1000)
    for (const at of [1000, 2000, 3000]) await end(`op-${at}`)
    await write((tx) => tx.forgetOperations(2000))
    const ids = ['op-1000', 'op-2000', 'op-3000', 'running']
    const kept = await Promise.all(ids.map((id) => opened.store.operation(id)))
    expect(kept.map((operation) => operation?.id ?? null)).toEqual([null, 'op-2000', 'op-3000', 'running'])
    await end('running')
  })
}
