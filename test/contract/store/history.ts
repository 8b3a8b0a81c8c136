/** The store contract: looking back at releases, one by one and page by page. */
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/kernel/digest.ts'
import { type IntentRow, rowOf } from '../../../src/model/intent.ts'
import { eachStore, failureOf, insertLive, type OpenStore, release } from './opened.ts'
import { artifact, draft, movedIn, movedOut, named, textsOf } from './samples.ts'

export function historyContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('a release comes back with its rows, digests and results, over a restart', async () => {
    const b = await insertLive(opened.store, named('b.example.com', { tags: ['x'], note: 'ü' }))
    const a = await insertLive(opened.store, named('a.example.com'))
    await release(opened.store, [movedIn(a)])
    const artifacts = { sso: artifact('s'), routes: artifact('r', '2') }
    const wanted = {
      ...draft([movedIn(b), movedOut(a)], artifacts),
      plan_hash: 'aa',
      warnings: ['one'],
      reason: 'apply plan-1',
    }
    await opened.store.write((tx) => tx.addRelease(wanted))
    const record = {
      number: 2,
      created_at: 2000,
      actor: 'key',
      request_id: 'req-1',
      reason: 'apply plan-1',
      warnings: ['one'],
      digests: { routes: sha256(['r', '2']), sso: sha256(['s']) },
      plan_hash: 'aa',
      rows: [movedIn(b), movedOut(a)].sort((x, y) => x.domain_id - y.domain_id),
      results: {},
    }
    expect(await opened.store.release(2)).toEqual(record)
    await opened.store.write((tx) => tx.recordResults(2, { routes: 'repaired' }))
    await opened.store.write((tx) => tx.recordResults(2, { routes: 'clean', sso: 'failed' }))
    const store = await opened.reopen()
    expect(await store.release(2)).toEqual({ ...record, results: { routes: 'clean', sso: 'failed' } })
  })

  test('a release that was never made is null, has frozen nothing and has no edition', async () => {
    expect(await opened.store.releases({ limit: 10 })).toEqual([])
    await release(opened.store, [], { routes: artifact('r') })
    for (const number of [-1, 0, 2, 1.5, 2 ** 53]) {
      expect(await opened.store.release(number)).toBeNull()
      expect(await opened.store.artifactAt(number, 'routes')).toBeNull()
      const failure = await failureOf(opened.store.releasedAt(number), 'not_found')
      expect(failure.message).toBe(`There is no release ${number}.`)
    }
  })

  test('the newest release of a domain is the last one that moved it, in or out', async () => {
    const a = await insertLive(opened.store, named('a.example.com'))
    const b = await insertLive(opened.store, named('b.example.com'))
    expect(await opened.store.lastReleaseOf(a.id)).toBeNull()
    await release(opened.store, [movedIn(a), movedIn(b)])
    await release(opened.store, [movedOut(a)])
    await release(opened.store, [], { routes: artifact('r') })
    expect(await opened.store.lastReleaseOf(a.id)).toBe(2)
    expect(await opened.store.lastReleaseOf(b.id)).toBe(1)
  })

  test('releases are told newest first, page by page, each with its own rows and digests', async () => {
    const records = await opened.store.write((tx) =>
      Promise.all(Array.from({ length: 7 }, (_, i) => tx.insertDomain(named(`n${i}.example.com`), 1))),
    )
    for (const [i, record] of records.entries())
      await release(opened.store, [movedIn(record)], i % 2 === 0 ? { routes: artifact(`${i}`) } : {})
    const all = await opened.store.releases({ limit: 100 })
    expect(all.map((head) => head.number)).toEqual([7, 6, 5, 4, 3, 2, 1])
    for (const { number, rows, digests } of all) {
      expect(rows).toEqual([movedIn(records[number - 1]!)])
      expect(digests).toEqual(number % 2 === 1 ? { routes: sha256([`${number - 1}`]) } : {})
    }
    expect(await opened.store.releases({ limit: 3 })).toEqual(all.slice(0, 3))
    expect(await opened.store.releases({ limit: 3, before: 5 })).toEqual(all.slice(3, 6))
    expect(await opened.store.releases({ limit: 3, before: 2 })).toEqual(all.slice(6))
    expect(await opened.store.releases({ limit: 3, before: 1 })).toEqual([])
    for (const one of all) expect(await opened.store.release(one.number)).toEqual(one)
  })

  test('any release gives the bytes that it froze, whatever was frozen since', async () => {
    const frozen = Array.from({ length: 30 }, (_, i) => artifact('shared', `only ${i}`, i % 2 ? '' : 'even'))
    for (const [i, routes] of frozen.entries())
      await release(opened.store, [], i === 4 ? { sso: artifact('s') } : { routes })
    const store = await opened.reopen()
    const told = async (number: number) => {
      const routes = await store.artifactAt(number, 'routes')
      return [routes?.digest ?? null, textsOf(routes)]
    }
    for (const [i, routes] of frozen.entries())
      expect(await told(i + 1)).toEqual(i === 4 ? [null, undefined] : [routes.digest, textsOf(routes)])
    expect(textsOf(await store.artifactAt(5, 'sso'))).toEqual(['s'])
    expect(await store.artifactAt(6, 'sso')).toBeNull()
    expect(await store.artifactAt(30, 'routes')).toEqual(await store.artifact('routes'))
  })

  test('a row that left, came back and went off line is at each release as it was then', async () => {
    const record = await insertLive(opened.store, named('a.example.com'))
    const other = await insertLive(opened.store, named('b.example.com'))
    const row = rowOf(record)
    const edited = { ...row, revision: 9, fields: named('a.example.com', { backend_port: 9 }) }
    const moves: readonly (IntentRow | null)[] = [row, null, edited, { ...edited, live: false }, null, row]
    for (const moved of moves) await release(opened.store, [{ domain_id: record.id, row: moved }])
    await release(opened.store, [movedIn(other)])
    const rowsAt = async (number: number) => (await opened.store.releasedAt(number)).rows
    for (const [i, moved] of moves.entries())
      expect(await rowsAt(i + 1)).toEqual(moved === null ? [] : [moved])
    expect(await rowsAt(7)).toEqual([row, rowOf(other)])
    await opened.store.write((tx) => tx.deleteDomain(record.id))
    expect(await rowsAt(7)).toEqual([row, rowOf(other)])
  })

  test('inside, the release just made can be looked back at; rolled back, it never was', async () => {
    const record = await insertLive(opened.store, named('a.example.com'))
    const attempt = opened.store.write(async (tx) => {
      const { number } = await tx.addRelease(draft([movedIn(record)], { routes: artifact('r') }))
      expect((await tx.releasedAt(number)).rows).toEqual([rowOf(record)])
      expect(await tx.release(number)).toMatchObject({ rows: [movedIn(record)] })
      expect(textsOf(await tx.artifactAt(number, 'routes'))).toEqual(['r'])
      throw new Error('mine')
    })
    await expect(attempt).rejects.toThrow('mine')
    expect(await opened.store.release(1)).toBeNull()
    await failureOf(opened.store.releasedAt(1), 'not_found')
  })

  test('the edition of an old release is frozen all through, as a shared answer is', async () => {
    const record = await insertLive(opened.store, named('a.example.com', { tags: ['one'] }))
    await release(opened.store, [movedIn(record)])
    const intent = await opened.store.releasedAt(1)
    const [row] = intent.rows
    for (const part of [
      intent,
      intent.rows,
      row,
      row!.fields,
      row!.fields.tags,
      row!.fields.middleware_config,
    ])
      expect(Object.isFrozen(part)).toBe(true)
  })
}
