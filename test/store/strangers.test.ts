/** What the store keeps in memory, after somebody else has committed: SQL by hand is seen by the next look. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { someFields } from '../fixtures.ts'
import { sqlElsewhere } from './elsewhere.ts'
import { eachScratch } from './scratch.ts'
import { dnsRecords } from '../../src/features/dns/records.ts'

const scratch = eachScratch()

const shell = (directory: string, sql: string) => sqlElsewhere(join(directory, 'plumbline.db'), sql)

const row = (name: string) => ({
  account: 'default',
  zone: 'example.com',
  name,
  type: 'A' as const,
  domain_id: 1,
  state: 'owned' as const,
  ttl: 300,
  values: ['192.0.2.1'],
  proxied: null,
  ids: [],
  sent_at: 1,
})
const names = async (store: Store) => (await store.of(dnsRecords).ownedRrsets()).map(({ name }) => name)
const domains = async (store: Store) =>
  (await store.intent('working')).rows.map(({ fields }) => fields.domain)

it('a row of the DNS ledger that was deleted is gone', async () => {
  const directory = scratch.directory()
  const store = await scratch.open(directory)
  await store.write((tx) => tx.of(dnsRecords).saveOwnedRrsets([row('a.example.com'), row('b.example.com')]))
  expect(await names(store)).toEqual(['a.example.com', 'b.example.com'])
  shell(directory, `DELETE FROM dns_records WHERE name = 'a.example.com'`)
  expect(await names(store)).toEqual(['b.example.com'])
  await store.write((tx) => tx.of(dnsRecords).saveOwnedRrsets([row('c.example.com')]))
  expect(await names(store)).toEqual(['b.example.com', 'c.example.com'])
})

it('a record that was changed by hand is damaged, and one that was deleted is gone, also for a write', async () => {
  const directory = scratch.directory()
  const store = await scratch.open(directory)
  const [first] = await store.write(async (tx) => [
    await tx.insertDomain(someFields({ domain: 'a.example.com' }), 1),
    await tx.insertDomain(someFields({ domain: 'b.example.com' }), 1),
  ])
  expect(await domains(store)).toEqual(['a.example.com', 'b.example.com'])
  shell(directory, `DELETE FROM domains WHERE domain = 'b.example.com'`)
  const seen = await store.write(async (tx) =>
    (await tx.intent('working')).rows.map(({ fields }) => fields.domain),
  )
  expect(seen).toEqual(['a.example.com'])
  shell(directory, `UPDATE domains SET auth_required = 1 - auth_required`)
  expect(await store.damagedRecords()).toMatchObject([{ domain_id: first.id }])
})

it('our own commits leave the same answer in place', async () => {
  const store = await scratch.open(scratch.directory())
  await store.write((tx) => tx.insertDomain(someFields({ domain: 'a.example.com' }), 1))
  const before = await store.intent('working')
  await store.write((tx) => tx.saveDeployStatus('x'))
  expect((await store.intent('working')).rows[0]).toBe(before.rows[0])
})

it('whatever comes between: reads, our writes, some rolled back, and those of others', async () => {
  const directory = scratch.directory()
  const store = await scratch.open(directory)
  await store.write((tx) => tx.of(dnsRecords).saveOwnedRrsets([row('a.example.com')]))
  // In this process, and held open, so that no lock is given away before the end.
  const stranger = new Database(join(directory, 'plumbline.db'))
  const add = stranger.prepare(
    `INSERT INTO dns_records SELECT account, zone, ?, type, domain_id, state, ttl, "values", proxied, ids, sent_at
     FROM dns_records WHERE name = 'a.example.com'`,
  )
  const work: Promise<unknown>[] = []
  for (let i = 0; i < 60; i++) {
    work.push(store.intent('working'), names(store))
    work.push(
      store
        .write(async (tx) => {
          await tx.insertDomain(someFields({ domain: `d${i}.example.com` }), 1)
          await tx.of(dnsRecords).saveOwnedRrsets([row(`w${i}.example.com`)])
          if (i % 5 === 0) throw new Error('taken back')
        })
        .catch(() => undefined),
    )
    for (let turns = i % 4; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
    try {
      stranger.pragma('busy_timeout = 0')
      add.run(`s${i}.example.com`)
    } catch {
      // A transaction of ours was open.
    }
  }
  await Promise.all(work)
  stranger.close()
  const [kept, rows] = [await names(store), await domains(store)]
  await store.close()
  const again = await scratch.open(directory)
  expect(kept).toEqual(await names(again))
  expect(rows).toEqual(await domains(again))
  expect(rows).toHaveLength(48)
  expect(kept.filter((name) => name.startsWith('s')).length).toBeGreaterThan(0)
})
