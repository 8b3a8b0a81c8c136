/** The store contract: what a write promises. */
import { expect, test } from 'vitest'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { plainFields } from '../protocol-rules.ts'
import { eachStore, failureOf, insert, insertLive, type OpenStore } from './opened.ts'
import { draft, movedIn, named } from './samples.ts'

export function transactionsContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('work that fails leaves no trace and its error comes out unchanged', async () => {
    const kept = await insertLive(opened.store, plainFields)
    const working = await opened.store.intent('working')
    const reason = new Error('mine')
    const attempt = opened.store.write(async (tx) => {
      await tx.insertDomain(named('new.example.com'), 1)
      await tx.deleteDomain(kept.id)
      await tx.addRelease(draft([movedIn(kept)]))
      await tx.saveDeployStatus('never')
      throw reason
    })
    await expect(attempt).rejects.toBe(reason)
    expect(await opened.store.domain(kept.id)).toEqual(kept)
    expect(await opened.store.domainByName('new.example.com')).toBeNull()
    expect(await opened.store.intent('working')).toBe(working)
    expect((await opened.store.intent('released')).rows).toEqual([])
    expect(await opened.store.latestRelease()).toBeNull()
    expect(await opened.store.deployStatus()).toBeNull()
  })

  test('a refused write dooms the transaction, even if the work swallows it', async () => {
    await insert(opened.store, plainFields)
    const attempt = opened.store.write(async (tx) => {
      await tx.insertDomain(named('new.example.com'), 1)
      await tx.insertDomain(plainFields, 1).catch(() => 'swallowed')
    })
    await failureOf(attempt, 'name_taken')
    expect(await opened.store.domainByName('new.example.com')).toBeNull()
  })

  test('inside, reads see what was written; outside, they see the last commit', async () => {
    const old = await insertLive(opened.store, plainFields)
    const outside = await opened.store.write(async (tx) => {
      const record = await tx.insertDomain(named('new.example.com'), 1)
      await tx.addRelease(draft([movedIn(old)]))
      expect(await tx.domain(record.id)).toEqual(record)
      expect((await tx.domains({ sort: 'id', limit: 10 })).total).toBe(2)
      expect(names(await tx.intent('working'))).toEqual(['app.example.com', 'new.example.com'])
      expect(names(await tx.intent('released'))).toEqual(['app.example.com'])
      expect(await tx.latestRelease()).toMatchObject({ number: 1 })
      return opened.store.intent('working')
    })
    expect(names(outside)).toEqual(['app.example.com'])
    expect(names(await opened.store.intent('working'))).toEqual(['app.example.com', 'new.example.com'])
  })

  test('writes at the same time follow one another and none is lost', async () => {
    const { id } = await insert(opened.store, plainFields)
    const raise = async (tx: StoreWriter) => {
      const { backend_port, ...record } = (await tx.domain(id))!
      await tx.reviseDomain(id, { fields: { ...fieldsOnly(record), backend_port: backend_port! + 1 } }, 1)
    }
    await Promise.all(Array.from({ length: 40 }, () => opened.store.write(raise)))
    expect(await opened.store.domain(id)).toMatchObject({ backend_port: 8120, revision: 41 })
  })

  test('what a write acknowledged is there in a store opened again', async () => {
    const record = await insertLive(opened.store, plainFields)
    const id = opened.store.installation_id
    const again = await opened.reopen()
    expect(await again.domain(record.id)).toEqual(record)
    expect(again.installation_id).toBe(id)
  })

  test('a closed store says so, and closing it twice is fine', async () => {
    await insert(opened.store, plainFields)
    await opened.store.close()
    await opened.store.close()
    await failureOf(opened.store.domain(1), 'store_unavailable')
    await failureOf(opened.store.intent('working'), 'store_unavailable')
    await failureOf(
      opened.store.write(async () => undefined),
      'store_unavailable',
    )
  })

  test('closing waits for the write under way', async () => {
    const writing = insert(opened.store, plainFields)
    await Promise.allSettled([writing, opened.store.close()])
    const { id } = await writing
    expect(await (await opened.reopen()).domain(id)).not.toBeNull()
  })
}

const names = (intent: { rows: readonly { fields: { domain: string } }[] }): string[] =>
  intent.rows.map((row) => row.fields.domain)

const fieldsOnly = (record: Omit<typeof plainFields, 'backend_port'>) =>
  Object.fromEntries(
    Object.keys(plainFields).map((name) => [name, record[name as keyof typeof record]]),
  ) as unknown as typeof plainFields
