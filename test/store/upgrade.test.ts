/** A database of the first schema, full of content, becomes one of the present schema and loses nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { ownMigrations } from '../../src/store/migrations.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import type { Store } from '../../src/ports/store.ts'
import { failureOf, insert, release } from '../contract/store/opened.ts'
import { named, textsOf } from '../contract/store/samples.ts'
import { eachScratch } from './scratch.ts'
import { ddnsRecords } from '../../src/features/ddns/records.ts'

const CONTENT = readFileSync(new URL('version-1.sql', import.meta.url), 'utf8')
const scratch = eachScratch()
const own = ownMigrations()
const [first, second, third] = own as [(typeof own)[0], (typeof own)[0], (typeof own)[0]]

let directory: string
let before: ReturnType<typeof contentOf>

beforeEach(() => {
  directory = scratch.directory()
  const path = join(directory, 'plumbline.db')
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.exec(first.sql)
  database.exec(CONTENT)
  database
    .prepare('INSERT INTO migrations (number, name, sha256, applied_at) VALUES (1, ?, ?, 1780300801000)')
    .run(first.name, sha256([first.sql]))
  database.close()
  before = contentOf(path)
})

const TABLES = [...first.sql.matchAll(/^CREATE TABLE (\w+)/gm)].map((match) => match[1]!)

/** All rows of the first schema's tables, and the numbers that were given last. */
function contentOf(path: string): Record<string, unknown[]> {
  const database = new Database(path, { readonly: true })
  const rows = (table: string) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()
  const content = Object.fromEntries(TABLES.map((table) => [table, rows(table)]))
  const given = database.prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name').all()
  database.close()
  return { ...content, given }
}

/** Without what every start writes by itself. */
const settled = (content: Record<string, unknown[]>) => ({
  ...content,
  meta: (content['meta'] as { key: string }[]).filter(
    ({ key }) => key !== 'opened_at' && key !== 'holder_secret',
  ),
  migrations: content['migrations']!.slice(0, 1),
  // The second schema adds where a key stands; of what was applied before, that is not known.
  applied: (content['applied'] as { place?: string }[]).map(({ place = '', ...row }) => ({ ...row, place })),
})

async function upgraded(migrations = own): Promise<Store> {
  return scratch.open(directory, { migrations })
}

test('it gets a secret of its own to sign with, once', async () => {
  const store = await upgraded()
  const signature = store.sign('a text')
  expect(signature).toMatch(/^[0-9a-f]{64}$/)
  expect(store.sign('another text')).not.toBe(signature)
  await store.close()
  const again = await upgraded()
  expect(again.sign('a text')).toBe(signature)
  const other = await scratch.open(scratch.directory())
  expect(other.sign('a text')).not.toBe(signature)
})

test('the content to keep has rows in every table of the first schema', () => {
  expect(TABLES).toHaveLength(15)
  for (const table of TABLES) expect([table, before[table]!.length > 0]).toEqual([table, true])
})

test('the second schema keeps every row of the first, byte for byte', async () => {
  const store = await upgraded([first, second])
  await store.close()
  const after = contentOf(join(directory, 'plumbline.db'))
  expect(settled(after)).toEqual(settled(before))
  expect(after['migrations']).toMatchObject([{ number: 1 }, { number: 2, name: second.name }])
})

type Row = Readonly<Record<string, unknown>>

/** A row as the third schema makes it: new columns, and in the released fields two new members. */
const withDns = (row: Row): Row => ({
  ...row,
  retired: 0,
  fields:
    typeof row['fields'] === 'string'
      ? { ...(JSON.parse(row['fields']) as object), dns_ttl: null, dns_proxied: null }
      : null,
})

const parsedFields = (row: Row): Row => ({
  ...row,
  fields: typeof row['fields'] === 'string' ? JSON.parse(row['fields']) : null,
})

test('the third schema gives records and released rows the fields of DNS, retires nobody and changes nothing else', async () => {
  await (await upgraded([first, second])).close()
  const path = join(directory, 'plumbline.db')
  const { domains, released, release_rows, migrations: _, meta: _m, ...others } = contentOf(path)
  await (await upgraded([first, second, third])).close()
  const after = contentOf(path)
  expect(after).toMatchObject(others)
  expect(after['domains']).toEqual(
    (domains as Row[]).map((row) => ({ ...row, dns_ttl: null, dns_proxied: null })),
  )
  expect((after['released'] as Row[]).map(parsedFields)).toEqual((released as Row[]).map(withDns))
  expect((after['release_rows'] as Row[]).map(parsedFields)).toEqual((release_rows as Row[]).map(withDns))
  expect((release_rows as Row[]).some(({ fields }) => fields === null)).toBe(true)
})

test('records and releases of an older database are read whole, and one of them can be told how its DNS should be', async () => {
  const store = await upgraded()
  for (const edition of ['working', 'released'] as const)
    for (const { retired, fields } of (await store.intent(edition)).rows)
      expect([retired, fields.dns_ttl, fields.dns_proxied]).toEqual([false, null, null])
  const record = (await store.domainByName('app.example.com'))!
  const { fields } = (await store.intent('working')).rows.find(({ domain_id }) => domain_id === record.id)!
  await store.write((tx) =>
    tx.reviseDomain(record.id, { fields: { ...fields, dns_ttl: 60, dns_proxied: true } }, 2000),
  )
  expect(await store.domain(record.id)).toMatchObject({ dns_ttl: 60, dns_proxied: true })
  expect(await store.of(ddnsRecords).ddnsTokens()).toEqual([])
  expect(await store.of(ddnsRecords).lastRotation()).toBeNull()
})

test('the copy made before has the first schema and every row', async () => {
  await (await upgraded()).close()
  const [copy, ...others] = readdirSync(join(directory, 'backups'))
  expect(others).toEqual([])
  expect(copy).toMatch(/^plumbline-0001-/)
  expect(contentOf(join(directory, 'backups', copy!))).toEqual(before)
})

test('what was released under the first schema can be looked back at under the present one', async () => {
  const store = await upgraded()
  const namesAt = async (number: number) =>
    (await store.releasedAt(number)).rows.map(({ fields }) => `${fields.domain} ${fields.backend_port}`)
  expect(await namesAt(1)).toEqual([
    'app.example.com 8080',
    'db.example.com 8080',
    'git.example.com 8080',
    'gone.example.com 8080',
  ])
  expect(await namesAt(2)).toEqual(['app.example.com 9090', 'db.example.com 8080', 'git.example.com 8080'])
  expect(await store.releasedAt(2)).toEqual(await store.intent('released'))
  expect(textsOf(await store.artifactAt(1, 'routes'))).toEqual(['http:\n', '  app\n', '  git\n'])
  expect(await store.release(1)).toMatchObject({ reason: 'deploy all', results: { routes: 'repaired' } })
  const actions = (await store.auditTrail({ limit: 10 })).map(({ id, action, domain }) => [
    id,
    action,
    domain,
  ])
  expect(actions).toEqual([
    [3, 'update', 'app.example.com'],
    [2, 'delete', 'gone.example.com'],
    [1, 'create', 'app.example.com'],
  ])
  expect(await store.openSteps()).toMatchObject([{ id: 2, release: 2 }])
})

test('numbers go on where they were, and the new trails begin empty', async () => {
  const store = await upgraded()
  expect(await insert(store, named('new.example.com'))).toMatchObject({ id: 5 })
  expect(await release(store, [])).toMatchObject({ number: 3 })
  expect(await store.conditions()).toEqual([])
  expect(await store.eventsAfter(0, 10)).toEqual([])
  expect(await store.revertsSince('routes', 0)).toEqual([])
  expect(await store.plan('any')).toBeNull()
  expect(await store.operation('any')).toBeNull()
  const event = { at: 1, kind: 'upgraded', message: 'schema migrated', facts: {} }
  expect(await store.write((tx) => tx.addEvent(event))).toBe(1)
})

test('a second schema that fails half-way leaves the first as it was, and the next start succeeds', async () => {
  const broken = { ...second, sql: `${second.sql}\nCREATE TABLE audit (id INTEGER) STRICT;` }
  await failureOf(upgraded([first, broken]), 'internal')
  expect(contentOf(join(directory, 'plumbline.db'))).toEqual(before)
  const store = await upgraded()
  expect((await store.intent('working')).rows).toHaveLength(3)
})

test('records from before there were digests get theirs, and each fits', async () => {
  const store = await upgraded()
  expect(await store.damagedRecords()).toEqual([])
  const { records } = await store.domains({ sort: 'id', limit: 1000 })
  expect(records).toHaveLength(before['domains']!.length)
  for (const { id } of records) expect(await store.domain(id)).toMatchObject({ id })
})

test('the fifteenth schema refuses empty texts; a row that a hand gave one stays, is damaged, and can be deleted', async () => {
  const earlier = own.filter(({ number }) => number < 15)
  await (await upgraded(earlier)).close()
  const path = join(directory, 'plumbline.db')
  const database = new Database(path)
  const id = copyRecord(database, 'hand.example.com')
  database.prepare(`UPDATE domains SET backend_host = '' WHERE id = ?`).run(id)
  const { domains, given } = contentOf(path)
  database.close()
  const store = await upgraded()
  expect(contentOf(path)).toMatchObject({ domains, given })
  expect(await store.damagedRecords()).toMatchObject([{ domain_id: id }])
  await store.write((tx) => tx.deleteDomain(id))
  const empty = { ...named('empty.example.com'), backend_host: '' }
  await failureOf(insert(store, empty), 'internal')
  expect((await insert(store, named('next.example.com'))).id).toBe(id + 1)
})

/** A record as it stands in a schema that the present program does not write any more. */
function copyRecord(database: Database.Database, domain: string): number {
  const columns = (database.pragma('table_info(domains)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !['id', 'domain'].includes(name))
    .join(', ')
  const copy = `INSERT INTO domains (domain, ${columns}) SELECT ?, ${columns} FROM domains ORDER BY id LIMIT 1`
  return Number(database.prepare(copy).run(domain).lastInsertRowid)
}

test('the seventeenth schema gives records and released rows the way to their backend, and believes nothing that it did not', async () => {
  await (await upgraded(own.filter(({ number }) => number < 17))).close()
  const path = join(directory, 'plumbline.db')
  const database = new Database(path)
  const hurt = copyRecord(database, 'hurt.example.com')
  const { domains, released, release_rows } = contentOf(path)
  database.close()
  const store = await upgraded()
  const fresh = { backend_scheme: null, backend_tls: null }
  const after = contentOf(path)
  expect(after['domains']).toEqual((domains as Row[]).map((row) => ({ ...row, ...fresh })))
  const withWay = (row: Row): Row => ({
    ...row,
    fields: row['fields'] === null ? null : { ...(parsedFields(row)['fields'] as object), ...fresh },
  })
  expect((after['released'] as Row[]).map(parsedFields)).toEqual((released as Row[]).map(withWay))
  expect((after['release_rows'] as Row[]).map(parsedFields)).toEqual((release_rows as Row[]).map(withWay))
  expect(await store.damagedRecords()).toMatchObject([{ domain_id: hurt }])
  const sound = (await store.domainByName('app.example.com'))!
  const backend_tls = { trust: 'insecure' } as const
  const { fields } = (await store.intent('working')).rows.find(({ domain_id }) => domain_id === sound.id)!
  await store.write((tx) =>
    tx.reviseDomain(sound.id, { fields: { ...fields, backend_scheme: 'https', backend_tls } }, 2000),
  )
  expect(await store.domain(sound.id)).toMatchObject({ backend_scheme: 'https', backend_tls })
})
