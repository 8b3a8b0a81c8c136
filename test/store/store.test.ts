/** The SQLite store keeps the store contract, and what is special about it. */
import { describe, expect, test } from 'vitest'
import { storeContract } from '../contract/store.ts'
import { failureOf, insert, release } from '../contract/store/opened.ts'
import { draft } from '../contract/store/samples.ts'
import { plainFields } from '../contract/protocol-rules.ts'
import { layInstallation } from '../kit/new-installation.ts'
import { eachScratch } from './scratch.ts'

describe('the store contract on SQLite', () => {
  const scratch = eachScratch()
  storeContract(async () => {
    const directory = scratch.directory()
    await layInstallation(directory)
    let store = await scratch.open(directory)
    return {
      store,
      close: () => store.close(),
      async reopen() {
        await store.close()
        store = await scratch.open(directory)
        return store
      },
    }
  })
})

describe('the SQLite store', () => {
  const scratch = eachScratch()

  test('used inside its own write it refuses instead of waiting for itself for ever', async () => {
    const store = await scratch.open(scratch.directory())
    const uses: (() => Promise<unknown>)[] = [
      () => store.domain(1),
      () => store.openSteps(),
      () => store.write(async () => undefined),
    ]
    for (const inside of uses) {
      const failure = await failureOf(store.write(inside), 'internal')
      expect(failure.message).toContain('inside its own write')
    }
    await expect(insert(store, plainFields)).resolves.toMatchObject({ revision: 1 })
  })

  test('a write of many queries lets others have a turn, and shows nobody what is not committed', async () => {
    const store = await scratch.open(scratch.directory())
    let turns = 0
    const seen: Promise<unknown>[] = []
    const other = setInterval(() => {
      turns++
      seen.push(store.domainCounts().then((counts) => counts.length))
    }, 0)
    await store.write(async (tx) => {
      await tx.insertDomain(plainFields, 1)
      for (let query = 0; query < 6; query++) {
        const until_ms = performance.now() + 25
        while (performance.now() < until_ms);
        await tx.openSteps()
      }
      expect(turns).toBeGreaterThan(3)
      await expect(Promise.race([...seen, Promise.resolve('waits')])).resolves.toBe('waits')
    })
    clearInterval(other)
    expect(new Set(await Promise.all(seen))).toEqual(new Set([1]))
  })

  test('work that was started inside a write and goes on after it may use the store', async () => {
    const store = await scratch.open(scratch.directory())
    const later = Promise.withResolvers<void>()
    const { started } = await store.write(async () => ({
      started: later.promise.then(() => store.domainCounts()),
    }))
    later.resolve()
    expect(await started).toEqual([])
  })

  test('bytes that releases share are stored once', async () => {
    const directory = scratch.directory()
    const store = await scratch.open(directory)
    const artifact = (...texts: string[]) => ({
      digest: texts.join(),
      chunks: texts.map((text) => Buffer.from(text)),
    })
    await release(store, [], { routes: artifact('a', 'b', 'a') })
    await release(store, [], { routes: artifact('a', 'c'), sso: artifact('b') })
    const raw = scratch.raw(directory)
    expect(raw.prepare('SELECT bytes FROM blobs').pluck().all().map(String).sort()).toEqual(['a', 'b', 'c'])
  })

  test('frozen bytes that were altered are never handed out', async () => {
    const directory = scratch.directory()
    const store = await scratch.open(directory)
    await release(store, [], { routes: { digest: 'd', chunks: [Buffer.from('good')] } })
    const raw = scratch.raw(directory)
    for (const sql of [
      `UPDATE blobs SET bytes = CAST('evil' AS BLOB)`,
      'DELETE FROM blobs',
      `UPDATE release_artifacts SET manifest = '['`,
    ]) {
      raw.exec(sql)
      await failureOf(store.artifact('routes'), 'database_corrupt')
    }
  })

  test('release, results and audit stand in their tables as they were given', async () => {
    const directory = scratch.directory()
    const store = await scratch.open(directory)
    const { id } = await insert(store, plainFields)
    await store.write(async (tx) => {
      await tx.addRelease({ ...draft([{ domain_id: id, row: null }]), plan_hash: 'p' })
      await tx.recordResults(1, { routes: 'failed' })
      await tx.recordResults(1, { routes: 'repaired', dns: 'clean' })
      await tx.audit({
        at: 5,
        actor: 'key',
        request_id: 'r',
        action: 'deploy',
        domain_id: id,
        domain: 'app.example.com',
        revision_before: 1,
        revision_after: 1,
        plan_hash: 'p',
        detail: { release: 1 },
      })
    })
    const raw = scratch.raw(directory)
    expect(raw.prepare('SELECT plan_hash, results FROM releases').get()).toEqual({
      plan_hash: 'p',
      results: '{"routes":"repaired","dns":"clean"}',
    })
    expect(raw.prepare('SELECT domain_id, fields FROM release_rows').get()).toEqual({
      domain_id: id,
      fields: null,
    })
    expect(raw.prepare('SELECT action, domain_id, detail FROM audit').get()).toEqual({
      action: 'deploy',
      domain_id: id,
      detail: '{"release":1}',
    })
  })
})
