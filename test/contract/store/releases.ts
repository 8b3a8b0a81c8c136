/** The store contract: releases and what they freeze. */
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/kernel/digest.ts'
import { type IntentRow, rowOf } from '../../../src/model/intent.ts'
import { tcpFields } from '../protocol-rules.ts'
import { eachStore, failureOf, insertLive, type OpenStore, release } from './opened.ts'
import { artifact, draft, movedIn, movedOut, named, textsOf } from './samples.ts'

export function releasesContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('releases are numbered from 1, and the newest one is told as it was made', async () => {
    expect(await opened.store.latestRelease()).toBeNull()
    await release(opened.store, [])
    const wanted = { ...draft([], { routes: artifact('x') }), warnings: ['one', 'two'], reason: 'expose' }
    const head = await opened.store.write((tx) => tx.addRelease(wanted))
    expect(head).toEqual({
      number: 2,
      created_at: 2000,
      actor: 'key',
      request_id: 'req-1',
      reason: 'expose',
      warnings: ['one', 'two'],
      digests: { routes: sha256(['x']) },
    })
    expect(await opened.store.latestRelease()).toEqual(head)
    expect(await (await opened.reopen()).latestRelease()).toEqual(head)
  })

  test('what a release froze comes back byte for byte, chunk for chunk', async () => {
    const frozen = artifact('one', '', 'two', 'one', '\0ÿ')
    const many = artifact(...Array.from({ length: 300 }, (_, i) => `chunk ${i}`))
    await release(opened.store, [], { routes: frozen, 'dns:example.com': artifact(), many })
    const store = await opened.reopen()
    expect(textsOf(await store.artifact('routes'))).toEqual(['one', '', 'two', 'one', '\0ÿ'])
    expect((await store.artifact('routes'))?.digest).toBe(frozen.digest)
    expect(await store.artifact('dns:example.com')).toEqual({ digest: sha256([]), chunks: [] })
    expect(textsOf(await store.artifact('many'))).toEqual(textsOf(many))
  })

  test('what a release leaves as it was is kept, what it leaves out is dropped, what comes back is taken up', async () => {
    const sso = artifact('s', 't')
    const dns = artifact('d')
    await release(opened.store, [], { routes: artifact('1'), sso, dns })
    await release(opened.store, [], { routes: artifact('2'), sso })
    await release(opened.store, [], { routes: artifact('1'), sso, dns })
    for (const [number, routes, kept] of [
      [1, '1', dns.digest],
      [2, '2', undefined],
      [3, '1', dns.digest],
    ] as const) {
      expect(textsOf(await opened.store.artifactAt(number, 'routes'))).toEqual([routes])
      expect(textsOf(await opened.store.artifactAt(number, 'sso'))).toEqual(['s', 't'])
      expect((await opened.store.artifactAt(number, 'dns'))?.digest).toBe(kept)
    }
  })

  test('what is kept is that of the release before, as the transaction sees it, and gone with the transaction', async () => {
    const sso = artifact('s')
    await release(opened.store, [], { routes: artifact('1'), sso })
    const undone = opened.store.write(async (tx) => {
      await tx.addRelease(draft([], { routes: artifact('2'), sso: artifact('u') }))
      const { number } = await tx.addRelease(draft([], { routes: artifact('3'), sso: artifact('u') }))
      expect(textsOf(await tx.artifactAt(number, 'sso'))).toEqual(['u'])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    const { number } = await release(opened.store, [], { routes: artifact('2'), sso })
    expect(textsOf(await opened.store.artifactAt(number, 'sso'))).toEqual(['s'])
  })

  test('only the newest release speaks: what it froze nothing for is null', async () => {
    await release(opened.store, [], { routes: artifact('one'), sso: artifact('s') })
    await release(opened.store, [], { routes: artifact('one', 'two') })
    expect(textsOf(await opened.store.artifact('routes'))).toEqual(['one', 'two'])
    expect(await opened.store.artifact('sso')).toBeNull()
  })

  test('two domains that swapped their names are deployed together', async () => {
    const a = await insertLive(opened.store, named('a.example.com'))
    const b = await insertLive(opened.store, named('b.example.com'))
    await release(opened.store, [movedIn(a), movedIn(b)])
    const swapped = [
      { ...rowOf(a), fields: named('b.example.com') },
      { ...rowOf(b), fields: named('a.example.com') },
    ]
    await release(opened.store, swapped.map(asMove))
    expect((await opened.store.intent('released')).rows).toEqual(swapped.toReversed())
  })

  test('a name that is still deployed for another domain is a conflict that names it, and nothing moves', async () => {
    const old = await insertLive(opened.store, named('a.example.com'))
    await release(opened.store, [movedIn(old)])
    await opened.store.write((tx) => tx.reviseDomain(old.id, { fields: named('b.example.com') }, 1))
    const fresh = await insertLive(opened.store, named('a.example.com'))
    const other = await insertLive(opened.store, named('c.example.com'))
    const failure = await failureOf(release(opened.store, [movedIn(other), movedIn(fresh)]), 'conflict')
    expect(failure.message).toBe(
      `Domain ${fresh.id} cannot be deployed: the name a.example.com is still deployed for domain ${old.id}. ` +
        `Deploy domain ${old.id} first.`,
    )
    expect((await opened.store.intent('released')).rows).toEqual([rowOf(old)])
    expect(await opened.store.latestRelease()).toMatchObject({ number: 1 })
  })

  test('an entrypoint that is still deployed for another domain is a conflict that names it', async () => {
    const plain = { ...tcpFields, ssl_enabled: false }
    const old = await insertLive(opened.store, { ...plain, domain: 'a.example.com' })
    await release(opened.store, [movedIn(old)])
    const moved = { ...plain, domain: 'a.example.com', tcp_entrypoint: 'mysql' }
    await opened.store.write((tx) => tx.reviseDomain(old.id, { fields: moved }, 1))
    const fresh = await insertLive(opened.store, { ...plain, domain: 'b.example.com' })
    const failure = await failureOf(release(opened.store, [movedIn(fresh)]), 'conflict')
    expect(failure.message).toContain(`the entrypoint postgres is still deployed for domain ${old.id}`)
  })

  test('rows that are not live keep nothing to themselves', async () => {
    const plain = { ...tcpFields, domain: 'a.example.com', ssl_enabled: false }
    const old = await insertLive(opened.store, plain)
    await release(opened.store, [{ domain_id: old.id, row: { ...rowOf(old), live: false } }])
    await opened.store.write((tx) => tx.deleteDomain(old.id))
    const fresh = await insertLive(opened.store, plain)
    await release(opened.store, [movedIn(fresh)])
    const { rows } = await opened.store.intent('released')
    expect(rows).toEqual([{ ...rowOf(old), live: false }, rowOf(fresh)])
    expect((await (await opened.reopen()).intent('released')).rows).toEqual(rows)
  })

  test('a release of many rows moves them all', async () => {
    const count = 333
    const records = await opened.store.write((tx) =>
      Promise.all(Array.from({ length: count }, (_, i) => tx.insertDomain(named(`n${i}.example.com`), 1))),
    )
    await release(opened.store, records.map(movedIn))
    expect((await opened.store.intent('released')).rows).toHaveLength(count)
    await release(opened.store, records.slice(100).map(movedOut))
    expect((await (await opened.reopen()).intent('released')).rows).toHaveLength(100)
  })

  test('results can be added to a release, not to one that is not there', async () => {
    const { number } = await release(opened.store, [])
    await opened.store.write((tx) => tx.recordResults(number, { routes: 'repaired' }))
    await opened.store.write((tx) => tx.recordResults(number, { dns: 'clean' }))
    await failureOf(
      opened.store.write((tx) => tx.recordResults(99, { routes: 'repaired' })),
      'internal',
    )
  })
}

const asMove = (row: IntentRow) => ({ domain_id: row.domain_id, row })
