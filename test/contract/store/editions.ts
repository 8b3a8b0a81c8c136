/** The store contract: both editions as the engine reads them. */
import { expect, test } from 'vitest'
import { rowOf } from '../../../src/model/intent.ts'
import { plainFields } from '../protocol-rules.ts'
import { eachStore, insert, insertLive, type OpenStore, release } from './opened.ts'
import { movedIn, movedOut, named } from './samples.ts'

export function editionsContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('the working edition holds every record, ordered by domain, live or not', async () => {
    const b = await insert(opened.store, named('b.example.com'))
    const a = await insertLive(opened.store, named('a.example.com'))
    const star = await insertLive(opened.store, named('*.example.com'))
    expect(await opened.store.intent('working')).toEqual({ rows: [star, a, b].map(rowOf) })
    expect((await (await opened.reopen()).intent('working')).rows).toEqual([star, a, b].map(rowOf))
  })

  test('saving moves nothing in the released edition; a release moves exactly its rows', async () => {
    const a = await insertLive(opened.store, named('a.example.com'))
    const b = await insertLive(opened.store, named('b.example.com'))
    await release(opened.store, [movedIn(a), movedIn(b)])
    const change = { fields: named('a.example.com', { backend_port: 9 }) }
    const edited = await opened.store.write((tx) => tx.reviseDomain(a.id, change, 1))
    expect((await opened.store.intent('released')).rows).toEqual([a, b].map(rowOf))
    await release(opened.store, [movedIn(edited), movedOut(b)])
    expect((await opened.store.intent('released')).rows).toEqual([rowOf(edited)])
    expect((await (await opened.reopen()).intent('released')).rows).toEqual([rowOf(edited)])
  })

  test('a deleted record stays released until a release moves it out', async () => {
    const a = await insertLive(opened.store, plainFields)
    await release(opened.store, [movedIn(a)])
    await opened.store.write((tx) => tx.deleteDomain(a.id))
    expect((await opened.store.intent('working')).rows).toEqual([])
    expect((await opened.store.intent('released')).rows).toEqual([rowOf(a)])
    await release(opened.store, [movedOut(a)])
    expect((await opened.store.intent('released')).rows).toEqual([])
  })

  test('a verdict that keeps a record live moves neither edition', async () => {
    const { id } = await insertLive(opened.store, plainFields)
    const before = await opened.store.intent('working')
    await opened.store.write((tx) => tx.setDomainStatus(id, 'error', 'refused'))
    expect(await opened.store.intent('working')).toBe(before)
  })

  test('an answer is shared until the edition moves, frozen all through, and stays as it was', async () => {
    const a = await insertLive(opened.store, named('a.example.com', { tags: ['one'] }))
    const before = await opened.store.intent('working')
    expect(await opened.store.intent('working')).toBe(before)
    const [row] = before.rows
    for (const part of [
      before,
      before.rows,
      row,
      row!.fields,
      row!.fields.tags,
      row!.fields.middleware_config,
    ])
      expect(Object.isFrozen(part)).toBe(true)
    await opened.store.write((tx) => tx.deleteDomain(a.id))
    expect(before.rows).toEqual([rowOf(a)])
    expect((await opened.store.intent('working')).rows).toEqual([])
  })

  test('what callers do to their records does not reach the edition', async () => {
    const record = await insert(opened.store, named('a.example.com', { tags: ['one'] }))
    ;(record.tags as string[]).push('two')
    expect((await opened.store.intent('working')).rows[0]!.fields.tags).toEqual(['one'])
  })
}
